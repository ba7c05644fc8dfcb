#!/usr/bin/env bash
# Gathers the tests that need a GPU, for a machine that has one but neither Bazel nor this tree.
#
#   ci/gpu_bundle.sh gpu_bundle                        here: needs nvcc, no GPU; about 3 MB
#   gpu_bundle/run.sh /path/to/site-packages           there: the folder that holds torch 2.11.0; without it the tests
#                                                      of LibTorch's part are left out, and the exit code is 2
#
# Exit codes of run.sh: 0 all passed, 1 a test failed, 2 no GPU or no LibTorch.
set -euo pipefail
[ $# = 1 ] || { echo "usage: ci/gpu_bundle.sh FOLDER" >&2; exit 3; }
out=$1
folder=benchmarks/harness/sampling/cuda
tests='cuda_device_gpu_test torch_framework_gpu_test'
# shellcheck disable=SC2046  # each label is to be a word of its own
tools/bazel build --config=cuda $(printf "//$folder:%s " $tests)
mkdir -p "$out"
for test in $tests; do install -m 755 "bazel-bin/$folder/$test" "$out/"; done
cat >"$out/run.sh" <<'RUN'
#!/usr/bin/env bash
set -uo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
site=${1:-}
nvidia-smi -L || { echo "no GPU: nvidia-smi finds none" >&2; exit 2; }
worst=0
./cuda_device_gpu_test || worst=1
if [ -e "$site/torch/lib/libtorch_cuda.so" ]; then
  # Before the folders of the machine that linked it.
  LD_LIBRARY_PATH=$site/torch/lib:$site/nvidia/cu13/lib ./torch_framework_gpu_test || worst=1
else
  echo "torch_framework_gpu_test was left out: '$site' holds no torch/lib/libtorch_cuda.so" >&2
  [ $worst = 1 ] || worst=2
fi
exit $worst
RUN
chmod 755 "$out/run.sh"
