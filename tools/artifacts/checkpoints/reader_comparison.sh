#!/bin/sh
# Starts reader_comparison.py by @oracle_python in the runfiles of its target.
set -eu
self=$0
case $self in /*) ;; *) self=$PWD/$self ;; esac
cd "${RUNFILES_DIR:-$self.runfiles}/assay"
exec ../oracle_python/bin/python tools/artifacts/checkpoints/reader_comparison.py
