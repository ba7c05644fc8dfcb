#!/usr/bin/env bash
# From process start to the first sample, and the whole smallest run.  bash ci/figures/start_up.sh [STARTS]
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
tools/bazel build //benchmarks/mlp:mlp_fp32_b1 >/dev/null 2>&1
seconds() { # COMMAND...: median of STARTS starts
  local start; for _ in $(seq "${starts}"); do
    start=$EPOCHREALTIME; "$@" >/dev/null 2>&1; awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }'
  done | sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'
}
starts=${1:-20}
case_of=bazel-bin/benchmarks/mlp/mlp_fp32_b1
# --budget=1e-9 still takes 6 samples of 20 us after 25 ms of warm-up, so this is an upper bound of the first sample's time.
printf 'verify and first samples, budget 0   %s s\n' "$(seconds $case_of --budget=1e-9 --modes=wall)"
printf 'only --benchmark_list_tests          %s s\n' "$(seconds $case_of --benchmark_list_tests)"
