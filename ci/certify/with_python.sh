#!/bin/sh
# The certificate with torch.utils.benchmark among the peers.
exec ci/certify/certify --python=ci/certify/python_subject "$@"
