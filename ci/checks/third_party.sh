#!/usr/bin/env bash
# A package outside benchmarks/ whose table or lock is broken, hostile or another's: it is told, and the others work.
#   third_party.sh --list     names of the checks
#   third_party.sh NAME       one of them
set -euo pipefail
package=third_party_scratch row='{"sha256": "'$(printf '1%.0s' {1..64})'", "size": 100, "store": "bucket", "provenance": "p", "commit": "0123456789ab"}'
log=$(mktemp)
package_with() { # ROW_OF_CASES LOCK [MORE]: a package around the mlp's code
  mkdir -p $package
  printf '%s\n' "$2" >$package/lock.bzl
  cat >$package/BUILD.bazel <<BUILD
load("//defs:benchmarks.bzl", "benchmarks")
load("//defs:cases.bzl", "cases")
load("//defs:variants.bzl", "model")
load("//models/mlp:variants.bzl", "IMPLEMENTATION")
load(":lock.bzl", "LOCK")

benchmarks(
    cases = [$1],
    default_case = "scratch_fp32_b1",
    implementations = [IMPLEMENTATION],
    library = "//models/mlp",
    ${3-lock = LOCK,}
    models = [model("scratch", IMPLEMENTATION)],
)
BUILD
}
said() { grep -qF -- "$1" "$log" || { cat "$log"; echo "expected in the above: $1"; return 1; }; }
works() { "$@" >"$log" 2>&1 || { local status=$?; cat "$log"; return $status; }; }
fails() { if "$@" >"$log" 2>&1; then cat "$log"; echo "passed: $*"; return 1; fi; }
others_work() { # the house's packages load and build, and their tests are found
  works tools/bazel build //benchmarks/mlp:cases //benchmarks/resnet:cases
  works tools/bazel query 'tests(//benchmarks/mlp:tests)'; said //benchmarks/mlp:mlp_fp32_b8_accuracy_test
}
good='cases(dtypes = ["fp32"], batches = [1])'

declare -A checks
checks['third party: a broken table fails alone, and the others load']='package_with "cases(dtypes = [\"fp32\"], batches = [0])" "LOCK = {}"; fails tools/bazel build //$package:cases; said "batch 0 is out of range"; others_work'
checks['third party: a table that is no Starlark fails alone']='package_with "cases(" "LOCK = {}"; fails tools/bazel build //$package:cases; others_work'
checks['third party: a lock that is no Starlark fails alone, and is told']='package_with "$good" "LOCK = {<<<<<<<"; fails tools/bazel build //$package:cases; others_work; fails tools/bazel test //artifacts:lock_test; said "//$package: $package/lock.bzl: line 1"'
checks['third party: a lock that would run something is read by nobody but its own package']='package_with "$good" "LOCK = dict(a = fail(\"ran\"))"; others_work; fails tools/bazel test //artifacts:lock_test; said "$package/lock.bzl: line 1"'
checks['third party: a lock with another'"'"'s key is told with both packages']='package_with "$good" "LOCK = {
    \"mlp_fp32_b2\": $row,
}"; others_work; fails tools/bazel test //artifacts:lock_test; said "//benchmarks/mlp and //$package both have a row '"'"'mlp_fp32_b2'"'"'"; fails tools/bazel run //tools:artifacts -- list; said "both have a row \"mlp_fp32_b2\""'
checks['third party: a lock that nobody loads is told']='package_with "$good" "LOCK = {}" ""; fails tools/bazel build //$package:cases; said "lock.bzl is here and benchmarks() does not get it"; others_work'
checks['third party: a lock row whose blob is nowhere is ARTIFACT_UNAVAILABLE for its own test alone']='package_with "$good" "LOCK = {
    \"scratch_fp32_b2\": $row,
}"; fails tools/bazel test --config=bucket //$package:scratch_fp32_b1_accuracy_test; said "$package/blobs/, $package/staged/, ASSAY_BUCKET"; others_work'
checks['third party: two packages with one model are told when all cases are listed']='package_with "$good" "LOCK = {}"; sed -i "s/model(\"scratch\"/model(\"mlp\"/; s/scratch_fp32_b1/mlp_fp32_b1/" $package/BUILD.bazel; fails tools/bazel build //benchmarks:registry; said "both have a model '"'"'mlp'"'"'"; others_work'

if [ "${1:-}" = --list ]; then printf '%s\n' "${!checks[@]}" | LC_ALL=C sort; exit 0; fi
[ -n "${checks[${1:-}]:-}" ] || { echo "no check '${1:-}'; --list names them" >&2; exit 3; }
[ ! -e $package ] || { echo "$package exists" >&2; exit 2; }
trap 'rm -rf $package "$log"' EXIT
eval "${checks[$1]}"
