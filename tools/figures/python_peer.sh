#!/bin/sh
# Starts python_peer.py under @oracle_python, in its runfiles; `bazel run` starts this there.
export PYTHONPATH=$PWD
exec "$(dirname "$PWD")/oracle_python/bin/python" -m tools.figures.python_peer "$@"
