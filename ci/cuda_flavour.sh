#!/usr/bin/env bash
# The CUDA flavour compiles and links; a machine without a GPU gets NO_DEVICE, exit code 2, and never a pass.
set -euo pipefail
folder=//benchmarks/harness/sampling/cuda
tools/bazel build --config=cuda //benchmarks/mlp:mlp_fp32_b1 $folder:cuda_device_gpu_test $folder:torch_framework_gpu_test
tools/bazel test --config=cuda $folder:cuda_device_test
status=0
out=$(bazel-bin/benchmarks/mlp/mlp_fp32_b1 --budget=0.05 2>&1) || status=$?
printf '%s\n' "$out"
if [ -e /dev/nvidia0 ]; then
  [ $status = 0 ]
else
  [ $status = 2 ] && grep -q 'NO_DEVICE' <<<"$out"
fi
