#!/usr/bin/env bash
# Tests and measures on a machine that has a GPU, but no Bazel and no network.
#
#   ci/gpu_bundle.sh pack                 here: builds with --config=cuda, needs no GPU; writes gpu_bundle/bundle.tar.xz, 40 MiB at most
#   ci/gpu_bundle.sh rehearse [PLAN]      here: unpacks it into a folder without the tree, and runs a plan on a simulated GPU
#   ci/gpu_bundle.sh run PLAN [FLAG...]   there: unpacks it and runs a plan: first, second, again (docs/gpu.md)
#
# There is x86-64 Linux with glibc 2.36 or newer, NVIDIA's driver 580 or newer, and a python3 (3.11 or newer) with torch 2.11.0.
# Without this tree: tar xf bundle.tar.xz && bundle/run.sh PLAN; bundle/run.sh --help lists flags and exit codes.
#
# In it: one runner with every family and operator, every case, the references that are in the tree, the unit tests that need a GPU,
# the same workloads in Python, and the plans (ci/gpu/plans). LibTorch itself is not in it.
#
# Exit codes: of pack 0 made, 1 it does not build or is too large, 2 something is missing; of run and rehearse 0 all right, 1 something
# is wrong, 2 something could not run; 3 usage.
set -euo pipefail
usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }
refuse() { echo "ci/gpu_bundle.sh: $*" >&2; exit 3; }
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
archive=gpu_bundle/bundle.tar.xz

pack() {
  local families external
  mapfile -t families < <(sh tools/deps/find_families.sh .)
  local folder=//benchmarks/harness/sampling/cuda
  tools/bazel build --config=cuda //benchmarks:gpu_runner $folder:libassay_cuda.so $folder:cuda_device_gpu_test \
    $folder:torch_framework_gpu_test //benchmarks/harness/simulated_gpu:libsimulated_gpu.so \
    //ci/gpu:outcomes //ci/figures/gpu_peer:bundle @cuda_bench//:wheels "${families[@]/%/:cases}"
  external=$(realpath -- "$(tools/bazel info output_base 2>/dev/null)/external")
  python3 -B -m ci.gpu.pack "$archive" "$external" "${families[@]}"
}

# Unpacks the archive into a new folder of gpu_bundle/, whose name it prints. Python's tarfile needs no xz on the machine.
unpack() {
  [ -e "$archive" ] || { echo "ci/gpu_bundle.sh: no $archive here; ci/gpu_bundle.sh pack makes it" >&2; exit 2; }
  python3 - "$archive" "$1" <<'PYTHON' || exit 2
import lzma, sys, tarfile
try:
    with tarfile.open(sys.argv[1]) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Debian 12's Python has none
        archive.extractall(sys.argv[2])
except (OSError, EOFError, lzma.LZMAError, tarfile.TarError) as error:
    sys.exit("ci/gpu_bundle.sh: %s is cut off or damaged (%s); copy it again" % (sys.argv[1], error))
PYTHON
}

case ${1:-} in
  -h | --help) usage ;;
  pack) [ $# = 1 ] || refuse "pack takes no more words"; pack ;;
  run)
    [ $# -ge 2 ] || refuse "run which plan? first, second or again"
    rm -rf gpu_bundle/bundle
    unpack gpu_bundle
    exec gpu_bundle/bundle/run.sh "${@:2}" ;;
  rehearse)
    [ $# -le 2 ] || refuse "rehearse takes one plan at most"
    folder=$(mktemp -d); trap 'rm -rf -- "$folder"' EXIT
    unpack "$folder"
    cd -- "$folder"
    bundle/run.sh "${2:-rehearsal}" --device=simulated --out=results && code=0 || code=$?
    find results -type f -printf 'result    %9s bytes  %f\n'
    exit "$code" ;;
  *) refuse "usage: ci/gpu_bundle.sh pack | run PLAN | rehearse [PLAN]; --help says more" ;;
esac
