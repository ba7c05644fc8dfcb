#!/usr/bin/env bash
# The CUDA flavour compiles and links; a machine without a GPU gets NO_DEVICE, exit code 2, and never a pass.
set -euo pipefail
tools/bazel build --config=cuda //benchmarks/mlp:mlp_fp32_b1 //benchmarks/harness/sampling/...
status=0
out=$(bazel-bin/benchmarks/mlp/mlp_fp32_b1 --budget=0.05 2>&1) || status=$?
printf '%s\n' "$out"
if [ -e /dev/nvidia0 ]; then
  [ $status = 0 ]
else
  [ $status = 2 ] && grep -q 'NO_DEVICE' <<<"$out"
fi
