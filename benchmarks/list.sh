#!/bin/sh
# Starts list_cases on the registry. `bazel run` starts it in the runfiles folder.
exec benchmarks/list_cases --registry=benchmarks/registry.pb "$@"
