#!/bin/sh
# Starts npy_goldens.py under @oracle_python, in its runfiles; `bazel run` starts this there.
exec "$(dirname "$PWD")/oracle_python/bin/python" tools/goldens/npy_goldens.py "$@"
