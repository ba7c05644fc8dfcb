#!/bin/sh
# Starts operator_callers on the registry. `bazel run` starts it in the runfiles folder.
exec benchmarks/operator_callers --registry=benchmarks/registry.pb "$@"
