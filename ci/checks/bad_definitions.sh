#!/usr/bin/env bash
# Mistakes in tables, each made in a scratch package of this tree: the load or the build must fail and say what is allowed.
#   bad_definitions.sh --list     names of the checks
#   bad_definitions.sh NAME       one of them
set -euo pipefail
package=benchmarks/scratch_bad_definitions
family() { # MODELS CASES [DEFAULT]: a family of one input around the mlp's code
  mkdir -p $package
  cat >$package/BUILD.bazel <<BUILD
load("//defs:benchmarks.bzl", "benchmarks")
load("//defs:cases.bzl", "cases", "matching", "skip")
load("//defs:tolerances.bzl", "verify")
load("//defs:variants.bzl", "model")
load("//models/mlp:variants.bzl", "IMPLEMENTATION")

benchmarks(
    cases = [$2],
    default_case = "${3:-scratch_fp32_b1}",
    implementation = IMPLEMENTATION,
    library = "//models/mlp",
    models = [$1],
)
BUILD
}
fails_with() { # TEXT: building the family's cases fails and says TEXT
  local log; log=$(mktemp)
  if tools/bazel build //$package:cases >"$log" 2>&1; then cat "$log"; echo "the build passed"; return 1; fi
  grep -qF -- "$1" "$log" || { cat "$log"; echo "expected in the above: $1"; return 1; }
  rm -f "$log"
}
ok='model("scratch", IMPLEMENTATION)'
row='cases(dtypes = ["fp32"], batches = [1])'

declare -A checks
checks['table: a wrong dtype']='family "$ok" "cases(dtypes = [\"fp32\", \"fp17\"], batches = [1])"; fails_with "Unknown enumeration value of \"FP17\" for field \"dtype\". One of: FP32, FP64, BF16, FP16"'
checks['table: batch 0']='family "$ok" "cases(dtypes = [\"fp32\"], batches = [0])"; fails_with "cases: batch 0 is out of range; 1 to 1048576"'
checks['table: batch -1']='family "$ok" "cases(dtypes = [\"fp32\"], batches = [-1])"; fails_with "cases: batch -1 is out of range; 1 to 1048576"'
checks['table: batch 2^31']='family "$ok" "cases(dtypes = [\"fp32\"], batches = [1 << 31])"; fails_with "is out of range; 1 to 1048576"'
checks['table: an unknown model']='family "$ok" "cases(models = [\"scrutch\"], dtypes = [\"fp32\"], batches = [1])"; fails_with "unknown model \"scrutch\"; one of scratch"'
checks['table: an unknown field']='family "$ok" "cases(dtypes = [\"fp32\"], batchs = [1])"; fails_with "batchs"'
checks['table: an unknown model parameter']='family "model(\"scratch\", IMPLEMENTATION, parameters = {\"hidden\": 3})" "$row"; fails_with "unknown parameter \"hidden\"; mlp has: hidden_features, in_features, out_features"'
checks['table: a parameter of another kind']='family "model(\"scratch\", IMPLEMENTATION, parameters = {\"hidden_features\": \"wide\"})" "$row"; fails_with "is of kind integer"'
checks['table: two models of one name']='family "$ok, $ok" "$row"; fails_with "two models are called \"scratch\""'
checks['table: two cases of one name']='family "$ok" "$row, $row"; fails_with "two cases are called \"scratch_fp32_b1\""'
checks['table: a skip without a reason']='family "$ok" "cases(dtypes = [\"fp32\"], batches = [1], skips = [skip(\"\", device = \"CPU\")])"; fails_with "a reason is required"'
checks['table: limits without provenance']='family "$ok" "cases(dtypes = [\"fp32\"], batches = [1], verify = verify(\"\", rms_limit = 1.0, max_limit = 1.0))"; fails_with "limits without provenance are refused"'
checks['table: a rule without its baseline']='family "$ok" "cases(dtypes = [\"fp32\"], batches = [1], verify = verify(\"p\", rule = \"DYNAMO_SAME\", atol = 1e-3))"; fails_with "cannot be chosen; one of RELATIVE_TO_STD, ALLCLOSE, COSINE"'
checks['table: a default case that is none']='family "$ok" "$row" scratch_fp32_b2; fails_with "is not one of its cases"'
checks['by hand: a wrong enum, with file and line']='family "$ok" "$row"; printf "model: \"scratch\"\ndtype: FP17\nbatch: 3\n" >$package/scratch_fp17_b3.textproto; fails_with "$package/scratch_fp17_b3.textproto:2: Unknown enumeration value of \"FP17\""'
checks['by hand: an unknown field, with file and line']='family "$ok" "$row"; printf "model: \"scratch\"\ndtype: FP32\nbach: 3\n" >$package/scratch_fp32_b3.textproto; fails_with "$package/scratch_fp32_b3.textproto:3: Message type \"assay.BenchmarkCase\" has no field named \"bach\". It has: name, model"'
checks['by hand: a name that the table has']='family "$ok" "$row"; printf "model: \"scratch\"\ndtype: FP32\nbatch: 1\n" >$package/scratch_fp32_b1.textproto; fails_with "two cases are called \"scratch_fp32_b1\""'
checks['by hand: a good case becomes a target']='family "$ok" "$row"; printf "model: \"scratch\"\ndtype: FP32\nbatch: 3\n" >$package/scratch_fp32_b3.textproto; tools/bazel build //$package:scratch_fp32_b3'
checks['a case without a lock entry: its accuracy test says how to make one']='family "$ok" "$row"; log=$(tools/bazel test //$package:scratch_fp32_b1_accuracy_test 2>&1) && exit 1; grep -qF "tools/bazel run //tools:generate_artifacts -- --filter='"'"'^scratch_fp32_b1$'"'"'" <<<"$log" || { echo "$log"; exit 1; }'

if [ "${1:-}" = --list ]; then printf '%s\n' "${!checks[@]}" | LC_ALL=C sort; exit 0; fi
[ -n "${checks[${1:-}]:-}" ] || { echo "no check '${1:-}'; --list names them" >&2; exit 3; }
trap 'rm -rf $package' EXIT
eval "${checks[$1]}"
