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
load("//defs:cases.bzl", "cases", "execution", "matching", "sgd", "skip", "training")
load("//defs:tolerances.bzl", "verify")
load("//defs:variants.bzl", "model", "parameter")
load("//models/mlp:variants.bzl", "IMPLEMENTATION")

benchmarks(
    cases = [$2],
    default_case = "${3:-scratch_fp32_b1}",
    implementations = [IMPLEMENTATION],
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
checks['a case without a lock entry: its accuracy test says how to make one']='family "$ok" "$row"; log=$(tools/bazel test //$package:scratch_fp32_b1_accuracy_test 2>&1) && exit 1; grep -qF "tools/bazel run //tools:generate_artifacts -- --filter='"'"'^scratch_fp32_b2$'"'"'" <<<"$log" || { echo "$log"; exit 1; }'
checks['by hand: a seed in file and name finds its own reference']='family "$ok" "$row"; printf "model: \"scratch\"\nseed: 7\n" >$package/scratch_fp32_b3_seed7.textproto; tools/bazel build //$package:scratch_fp32_b3_seed7; grep -q "\"key\": \"scratch_fp32_b2_seed7\"" bazel-bin/$package/cases.json'
checks['by hand: a file and a name that differ, both named']='family "$ok" "$row"; printf "model: \"scratch\"\nseed: 8\n" >$package/scratch_fp32_b3_seed7.textproto; fails_with "$package/scratch_fp32_b3_seed7.textproto: seed is 8, but the file'"'"'s name says 7"'
checks['by hand: a name that has more than a name may have']='family "$ok" "$row"; printf "model: \"scratch\"\n" >$package/scratch_fp32_b3_fast.textproto; fails_with "\"_fast\" is no part of a case'"'"'s name here"'
checks['by hand: a name that is written otherwise']='family "$ok" "$row"; printf "model: \"scratch\"\n" >$package/scratch_fp32_b03.textproto; fails_with "what its name says is written scratch_fp32_b3"'
checks['by hand: a name of no model here']='family "$ok" "$row"; printf "model: \"scrutch\"\n" >$package/scrutch_fp32_b3.textproto; fails_with "with one of the models scratch"'
checks['table: executions end the names, and share the reference']='family "$ok" "cases(dtypes = [\"fp32\"], batches = [1, 8], executions = [execution(), execution(memory_format = \"channels_last\", autocast = \"bf16\")])"; tools/bazel build //$package:cases; [ "$(grep -c "\"key\": \"scratch_fp32_b2\"" bazel-bin/$package/cases.json)" = 4 ]; [ "$(tools/bazel query "kind(case_test, //$package:all)" 2>/dev/null | LC_ALL=C sort | tr "\n" " ")" = "//$package:scratch_fp32_b8_accuracy_test //$package:scratch_fp32_b8_channels_last_autocast_bf16_accuracy_test //$package:scratch_fp32_b8_channels_last_autocast_bf16_smoke_test //$package:scratch_fp32_b8_smoke_test " ]'
checks['table: an execution that is none']='family "$ok" "cases(dtypes = [\"fp32\"], batches = [1], executions = [execution(memory_format = \"sideways\")])"; fails_with "execution: memory_format \"sideways\"; one of contiguous, channels_last"'
checks['table: an optimizer that is none, and a momentum below zero']='family "$ok" "cases(dtypes = [\"fp32\"], batches = [1], train = training(optimizer = \"adam\"))"; fails_with "sgd(learning_rate = 0.1, momentum = 0.9) is one"; family "$ok" "cases(dtypes = [\"fp32\"], batches = [1], train = training(optimizer = sgd(0.1, -1)))"; fails_with "sgd: momentum -1; a positive number, or 0"'
checks['table: a suffix on a parameter that is no integer']='family "$ok" "$row"; cat >>$package/BUILD.bazel <<<"parameter(\"mode\", \"text\", suffix = \"m\", description = \"d\")"; fails_with "suffix \"m\" on kind text; only an integer'"'"'s value is written in a case'"'"'s name"'
checks['table: a model of no implementation here']='family "$ok" "$row"; sed -i "s/implementations = .IMPLEMENTATION./implementations = []/" $package/BUILD.bazel; fails_with "has implementation \"mlp\", which is not one of the package'"'"'s: none"'
checks['table: two implementations, one runner, both run']='family "$ok, model(\"scratch_image\", RESNET, parameters = {\"block\": \"basic\", \"layers\": [1, 1, 1, 1], \"resolution\": 64})" "$row"; sed -i "s/\[IMPLEMENTATION\]/[IMPLEMENTATION, RESNET]/; s#\"//models/mlp\",#[\"//models/mlp\", \"//models/resnet\"],#; 1i load(\"//models/resnet:variants.bzl\", RESNET = \"IMPLEMENTATION\")" $package/BUILD.bazel; tools/bazel test //$package:smoke_tests; [ "$(grep -c "\"description\"" bazel-bin/$package/cases.json)" -ge 2 ]'

if [ "${1:-}" = --list ]; then printf '%s\n' "${!checks[@]}" | LC_ALL=C sort; exit 0; fi
[ -n "${checks[${1:-}]:-}" ] || { echo "no check '${1:-}'; --list names them" >&2; exit 3; }
trap 'rm -rf $package' EXIT
eval "${checks[$1]}"
