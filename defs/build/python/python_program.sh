#!/bin/sh
# @TARGET@: the start of a python_program() (defs/build/python/python_program.bzl), in its runfiles.
set -eu
case "$0" in /*) self=$0 ;; *) self=$PWD/$0 ;; esac
runfiles=${RUNFILES_DIR:-$self.runfiles}
while [ ! -d "$runfiles" ] && [ -L "$self" ]; do
  link=$(readlink "$self"); case "$link" in /*) self=$link ;; *) self=${self%/*}/$link ;; esac
  runfiles=$self.runfiles
done
if [ ! -d "$runfiles" ]; then
  echo "$0: its runfiles are missing; start it with: tools/bazel run @TARGET@" >&2
  exit 2
fi
export BUILD_WORKING_DIRECTORY="${BUILD_WORKING_DIRECTORY:-$PWD}" PYTHONDONTWRITEBYTECODE=1
cd "$runfiles/@WORKSPACE@"
exec @PYTHON@ -m @MODULE@ "$@"
