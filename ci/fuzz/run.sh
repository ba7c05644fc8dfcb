#!/usr/bin/env bash
# The long form of a fuzz target: clang's libFuzzer with the address and undefined-behaviour sanitizers, on one core.
#
#   ci/fuzz/run.sh TARGET SECONDS [SEED_FOLDER...]     e.g. npy 600; reference_blob 600 artifacts/blobs
#   ci/fuzz/run.sh --list                              the targets
#   ASSAY_FUZZ_OUT=DIR ci/fuzz/run.sh ...              keeps corpus and findings there, not in a new folder of /tmp
#
# SECONDS are of processor time, so a busy machine takes longer, not less. Reads corpus/TARGET and the folders given,
# and writes what it discovers to OUT/corpus, findings to OUT/findings. To keep a finding as a test: fix the reader,
# then copy the file into corpus/TARGET. Ends with 0 where nothing was found, 1 with a finding, 2 where it cannot be
# told (no clang, no build, no place to write), 3 on wrong usage. Python's readers have fuzz_python.py instead.
set -euo pipefail
finding='' # only what sets it may end with 1: whatever else goes wrong on the way is 2
trap 'case $? in 0 | 2 | 3) ;; *) [ "$finding" ] || exit 2 ;; esac' EXIT
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=$(cd -- "$here/../.." && pwd -P)
targets() { (cd "$here" && for f in corpus/*/; do t=$(basename "$f"); [ -e "$t.cc" ] && echo "$t" || true; done); }
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}" >&2; exit 3; }

[ "${1:-}" != --list ] || { targets; exit 0; }
target=${1:-} seconds=${2:-}
[ -n "$target" ] && [[ $seconds =~ ^[1-9][0-9]*$ ]] || usage
[ -e "$here/$target.cc" ] || { echo "run.sh: no target '$target'; one of: $(targets | tr '\n' ' ')" >&2; exit 3; }
command -v clang++ >/dev/null || { echo "run.sh: no clang++ on this machine; apt-get install clang" >&2; exit 2; }
shift 2
seeds=("$here/corpus/$target"); for folder in "$@"; do seeds+=("$(realpath -e -- "$folder")"); done

# An output base of its own: another compiler would throw the ordinary build's analysis away, each time. --batch: no
# second server stays behind.
base=${XDG_CACHE_HOME:-${HOME:?run.sh: neither XDG_CACHE_HOME nor HOME names a folder for the build; set one of them}/.cache}/assay/fuzz_build
mkdir -p "$(dirname "$base")"
(cd "$root" && tools/bazel --batch --output_base="$base" build --config=fuzz --noshow_progress --symlink_prefix=/ \
  "//ci/fuzz:${target}_libfuzzer") || { echo "run.sh: $target does not build; see above" >&2; exit 2; }

out=${ASSAY_FUZZ_OUT:-$(mktemp -d "/tmp/fuzz_$target.XXXXXX")}
mkdir -p "$out/corpus" "$out/findings"
: >"$out/log"
# The newest: the folder is called assay by WORKSPACE and _main by MODULE.bazel, and both may be there.
built=$(ls -t "$base"/execroot/*/bazel-out/k8-opt/bin/ci/fuzz/"${target}_libfuzzer" | head -n 1)
install "$built" "$out/fuzzer"
echo "run.sh: $target for $seconds s of processor time; log, discovered inputs and findings in $out"

# Seconds that this shell's children have used; in a file, since $(…) would be another shell with children of its own.
used() { times >"$out/times"; spent=$(awk 'NR == 2 { gsub("[ms]", " "); print int($1 * 60 + $2 + $3 * 60 + $4) }' "$out/times"); }
used; start=$spent status=0
for _ in 1 2 3 4 5 6 7 8; do # one is enough where nothing else runs
  used; left=$((start + seconds - spent))
  [ $left -gt 0 ] || break
  "$out/fuzzer" -max_total_time=$left -max_len=20480 -rss_limit_mb=2048 -malloc_limit_mb=512 -timeout=10 -print_final_stats=1 \
    -artifact_prefix="$out/findings/" "$out/corpus" "${seeds[@]}" >>"$out/log" 2>&1 || { status=$?; break; }
done
used
executions=$(awk '/number_of_executed_units/ { runs += $2 } END { print runs + 0 }' "$out/log")
coverage=$(sed -n 's/ lim:.*//; s/^.* \(cov:.*\)/\1/p' "$out/log" | tail -n 1)
echo "run.sh: $target: $executions executions in $((spent - start)) s, $coverage"
[[ $status =~ ^(0|126|127)$ ]] || finding=$(ls "$out/findings") # 126, 127: could not be started
[ -z "$finding" ] || { printf '%s\n' "$finding"; grep -aE '^(SUMMARY|==.*ERROR|property broken)' "$out/log" || true; echo "run.sh: $target: a FINDING; see $out/log"; exit 1; }
[ $status = 0 ] && [ "$executions" -gt 0 ] || { tail -n 5 "$out/log"; echo "run.sh: $target: no finding, but exit code $status; see $out/log" >&2; exit 2; }
echo "run.sh: $target: no finding"
