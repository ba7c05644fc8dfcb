#!/bin/sh
# The certificate with torch.utils.benchmark among the peers.
exec tools/certify/certify --python=tools/certify/python_subject "$@"
