#!/usr/bin/env bash
# Gathers the tests of the CUDA side for a machine that has a GPU, but no Bazel, no copy of this tree and no network.
#
#   ci/gpu_bundle.sh gpu_bundle                        here: no GPU needed; about 30 MB
#   ci/gpu_bundle.sh gpu_bundle //benchmarks/mlp       only these families
#   gpu_bundle/run.sh                                  there: x86-64 Linux with glibc 2.35 or newer, NVIDIA's driver and
#                                                      Python with torch 2.11.0; at most 10 minutes (run.sh --help)
#
# In it: the unit tests that need a GPU, the certificate's rows on a GPU, the accuracy tests of the default tier of every
# family with their reference blobs (one of each operator), and the default case of each family to measure. LibTorch itself
# is not in it.
#
# Exit codes: 0 made, 1 something does not build, 3 usage.
set -euo pipefail
usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }
refuse() { echo "ci/gpu_bundle.sh: $*" >&2; exit 3; }

case ${1:-} in
  -h | --help) usage; exit 0 ;;
  -* | '') refuse "usage: ci/gpu_bundle.sh FOLDER [FAMILY...]; --help says more" ;;
esac
out=$(realpath -m -- "$1"); shift
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
known=$(sh tools/deps/find_families.sh . | sed 's|^|//|')
families=("$@")
[ $# != 0 ] || mapfile -t families <<<"$known"
for family in "${families[@]}"; do
  grep -qxF -- "$family" <<<"$known" || refuse "no family $family; there are:" $known
done
# Only what this script made is ever replaced.
[ ! -e "$out" ] || [ -e "$out/MANIFEST" ] || [ -z "$(ls -A -- "$out")" ] || refuse "$out is there and is no bundle"

query() { tools/bazel query --noshow_progress --ui_event_filters=-info "$1"; }
all=$(printf '+ %s:all ' "${families[@]}"); all=${all#+ }
# What --test_tag_filters of tools/common.bazelrc leaves out by default, less `gpu`.
accuracy=$(query "attr(tags, '[\[ ]accuracy[,\]]', kind(case_test, $all)) except attr(tags, '[\[ ](large|bucket)[,\]]', $all)")
# There are hundreds of operators: one case of each, in bf16, and with its backward pass where it has one.
operators=$(query "attr(tags, 'operator=', set($(tr '\n' ' ' <<<"$accuracy")))")
accuracy=$(awk 'NR == FNR { operators[$0]; next }
  { backward = $0; sub(/_accuracy_test$/, "_backward_accuracy_test", backward) }
  !($0 in operators) || (/_bf16_/ && !(backward in operators))' <(echo "$operators") <(echo "$accuracy"))
measured=$(query "labels(actual, set($(for f in "${families[@]}"; do printf '%s:%s ' "$f" "${f##*/}"; done)))")
folder=benchmarks/harness/sampling/cuda
unit_tests='cuda_device_gpu_test torch_framework_gpu_test'
# shellcheck disable=SC2046,SC2086  # each label is to be a word of its own
tools/bazel build --config=cuda $accuracy $measured $(printf "//$folder:%s " $unit_tests)

part=$out.part
rm -rf -- "$part"
mkdir -p -- "$part/cases" "$part/runfiles" "$part/unit_tests"
for test in $unit_tests; do install -m 755 "bazel-bin/$folder/$test" "$part/unit_tests/"; done
for target in $accuracy $measured; do
  path=${target#//} path=${path/://}
  install -D -m 755 "bazel-bin/$path" "$part/cases/$path"
  cat "bazel-bin/$path.runfiles_manifest"
done | sort -u | while read -r to from; do # one tree for all: the cases of a family share its runner
  case $to in libtorch* | */external/libtorch*) continue ;; esac
  [ -z "$from" ] || install -D "$from" "$part/runfiles/$to"
done
install -m 644 ci/gpu_bundle_run.py "$part/run.py"
cat >"$part/run.sh" <<'RUN'
#!/bin/sh
command -v python3 >/dev/null || { echo "run.sh: no python3 on PATH; the one with torch 2.11.0 in it is needed" >&2; exit 2; }
exec python3 "$(dirname -- "$0")/run.py" "$@"
RUN
chmod 755 "$part/run.sh"
site=$(realpath -- "$(tools/bazel info output_base 2>/dev/null)/external/libtorch_cuda/site")
printf '{"commit": "%s", "linked_with": "%s", "torch": "%s"}\n' "$(git describe --always --dirty --abbrev=12 2>/dev/null)" \
  "$site" "$(sed -n "s/^__version__ = '\(.*\)'/\1/p" "$site/torch/version.py")" >"$part/built.json"
(cd -- "$part" && find . -type f ! -name MANIFEST -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum >MANIFEST)
for results in "$out"/results-*; do [ ! -e "$results" ] || mv -- "$results" "$part/"; done
rm -rf -- "$out"
mv -- "$part" "$out"
echo "$out: $(du -sh -- "$out" | cut -f 1), $(wc -w <<<"$accuracy") accuracy tests, $(wc -w <<<"$measured") cases to measure"
echo "next, on a machine with a GPU: run.sh"
