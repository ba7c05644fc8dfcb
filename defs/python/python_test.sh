#!/bin/sh
# usage: python_test.sh PYTHON MODULE: the start of every python_test() (python_test.bzl). -B: no __pycache__ in runfiles.
cd "$TEST_SRCDIR/$TEST_WORKSPACE"
export PYTHONDONTWRITEBYTECODE=1
exec "$1" -m "$2"
