#!/usr/bin/env bash
# What does a thousand cases cost?  bash tools/figures/synthetic_family.sh [CASES]
# Makes a scratch family of that many cases around the mlp's code, and times: load + analyse + build, the smoke run of
# all (accuracy tests are left out: nobody has computed references for it), a no-op re-run, and one line added to the table until its case has run. Takes the family away again.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
cases=${1:-1000} package=benchmarks/synthetic
[ ! -e $package ] || { echo "$package exists" >&2; exit 2; }
trap 'rm -rf $package' EXIT
mkdir -p $package
family() { # ROWS MORE
  cat >$package/BUILD.bazel <<BUILD
load("//defs:benchmarks.bzl", "benchmarks")
load("//defs:cases.bzl", "cases")
load("//defs:variants.bzl", "model")
load("//models/mlp:variants.bzl", "IMPLEMENTATION")

benchmarks(
    cases = [cases(dtypes = ["fp32"], batches = range(1, $1 + 1))],
    default_case = "synthetic_fp32_b1",
    implementations = [IMPLEMENTATION],
    library = "//models/mlp",
    models = [model("synthetic", IMPLEMENTATION)$2],
)
BUILD
}
timed() { local start=$EPOCHREALTIME; "${@:2}" >/tmp/synthetic.log 2>&1 || { tail -n 20 /tmp/synthetic.log; exit 1; }
  awk -v a="$start" -v b="$EPOCHREALTIME" -v what="$1" 'BEGIN { printf "%-52s %7.1f s\n", what, b - a }'; }
tools/bazel build //benchmarks/mlp:runner >/dev/null 2>&1
family "$cases" ''
timed "$cases cases: load + analyse + build" bash -c "tools/bazel query 'kind(case_binary, //$package:all) + tests(//$package:smoke_tests)' >/tmp/synthetic.targets && tools/bazel build --target_pattern_file=/tmp/synthetic.targets"
timed "$cases smoke tests" tools/bazel test //$package:smoke_tests
timed "$cases smoke tests again: nothing to do" tools/bazel test //$package:smoke_tests
family "$cases" ', model("synthetic2", IMPLEMENTATION)'
timed 'one line more in the table, then run its first case' bash -c "tools/bazel run //$package:synthetic2_fp32_b1 -- --budget=0.1 || [ \$? = 2 ]"
