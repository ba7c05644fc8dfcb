#!/bin/sh
# Starts spread_subject.py under @oracle_python, in the runfiles folder that the certificate runs in.
export PYTHONPATH=$PWD
exec "$(dirname "$PWD")/oracle_python/bin/python" -m tools.certify.spread_subject "$@"
