#!/bin/sh
# Starts flop_goldens.py under @oracle_python, in its runfiles; `bazel run` starts this there.
exec "$(dirname "$PWD")/oracle_python/bin/python" tools/goldens/flop_goldens.py "$@"
