#!/bin/sh
# usage: python_test.sh PYTHON MODULE [ARGUMENT...]: the start of every python_test() (python_test.bzl). -B: no __pycache__
# in runfiles.
cd "$TEST_SRCDIR/$TEST_WORKSPACE" || exit
export PYTHONDONTWRITEBYTECODE=1
python=$1 module=$2; shift 2
exec "$python" -m "$module" "$@"
