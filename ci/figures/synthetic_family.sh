#!/usr/bin/env bash
# Measures how long many cases take to load and build. bash ci/figures/synthetic_family.sh [CASES]
#                           bash ci/figures/synthetic_family.sh tree [FAMILIES]
# tree: makes that many scratch families of 20 cases each, with locks, and times load + analyse of all their targets with a
# fresh server, and again after one line of one table and one row of one lock changed; builds nothing. Otherwise:
# Makes a scratch family of that many cases around the mlp's code, and times: load + analyse + build, the smoke run of
# all (accuracy tests are left out: nobody has computed references for it), a no-op re-run, and one line added to the table until its case has run. Takes the family away again.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
package=benchmarks/synthetic
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
    library = "//models/mlp",
    models = [model("synthetic", IMPLEMENTATION)$2],
)
BUILD
}
one_of_many() { # NUMBER BATCHES: a family of 4 dtypes x BATCHES
  local name; name=$(printf 'synthetic%03d' "$1"); mkdir -p $package/$name
  cat >$package/$name/BUILD.bazel <<BUILD
load("//defs:benchmarks.bzl", "benchmarks")
load("//defs:variants.bzl", "model")
load("//models/mlp:variants.bzl", "IMPLEMENTATION")
load(":cases.bzl", "CASES")
load(":lock.bzl", "LOCK")

benchmarks(
    cases = CASES,
    default_case = "${name}_fp32_b1",
    library = "//models/mlp",
    lock = LOCK,
    models = [model("$name", IMPLEMENTATION)],
)
BUILD
  printf 'load("//defs:cases.bzl", "cases")\n\nCASES = [\n    cases(dtypes = ["fp32", "fp64", "bf16", "fp16"], batches = %s),\n]\n' "$2" >$package/$name/cases.bzl
  # Rows of a blob that is in the tree, since nothing is to be fetched.
  local dtype row; row=$(sed -n 's/^ *"mlp_fp32_b2": //p' benchmarks/mlp/lock.bzl)
  { echo 'LOCK = {'; for dtype in bf16 fp16 fp32 fp64; do printf '    "%s_%s_b2": %s\n' "$name" $dtype "$row"
  done; echo '}'; } >$package/$name/lock.bzl
}
timed() { local start=$EPOCHREALTIME; "${@:2}" >/tmp/synthetic.log 2>&1 || { tail -n 20 /tmp/synthetic.log; exit 1; }
  awk -v a="$start" -v b="$EPOCHREALTIME" -v what="$1" 'BEGIN { printf "%-52s %7.1f s\n", what, b - a }'; }
if [ "${1:-}" = tree ]; then
  families=${2:-100}
  for ((i = 0; i < families; i++)); do one_of_many $i '[1, 8, 64, 128, 256]'; done
  tools/bazel build --nobuild //benchmarks/mlp:runner >/dev/null 2>&1 # external repositories are there
  tools/bazel shutdown
  timed "$families families of 20 cases: start, load + analyse" tools/bazel build --nobuild //$package/...
  timed 'again: nothing to do' tools/bazel build --nobuild //$package/...
  one_of_many 7 '[1, 8, 64, 128, 256, 512]'
  timed 'one line of one table changed' tools/bazel build --nobuild //$package/...
  sed -i '2d' $package/synthetic007/lock.bzl
  timed 'one row of one lock taken out' tools/bazel build --nobuild //$package/...
  exit
fi
cases=${1:-1000}
tools/bazel build //benchmarks/mlp:runner >/dev/null 2>&1
family "$cases" ''
timed "$cases cases: load + analyse + build" bash -c "tools/bazel query 'kind(case_binary, //$package:all) + tests(//$package:smoke_tests)' >/tmp/synthetic.targets && tools/bazel build --target_pattern_file=/tmp/synthetic.targets"
timed "$cases smoke tests" tools/bazel test //$package:smoke_tests
timed "$cases smoke tests again: nothing to do" tools/bazel test //$package:smoke_tests
family "$cases" ', model("synthetic2", IMPLEMENTATION)'
timed 'one line more in the table, then run its first case' bash -c "tools/bazel run //$package:synthetic2_fp32_b1 -- --budget=0.1 || [ \$? = 2 ]"
