#!/usr/bin/env bash
# Tests the program on the tree's own registry and data files: its exit codes and output. $1: run_suite, $2: other suites' command
# lines.
set -uo pipefail
suite=$PWD/$1 lines_file=$PWD/$2
out=$TEST_TMPDIR/out err=$TEST_TMPDIR/err
failures=0
fail() { echo "FAIL: $*"; sed 's/^/    /' "$out" "$err" | head -40; failures=$((failures + 1)); }
run() { "$suite" "$@" >"$out" 2>"$err"; code=$?; } # ARGUMENTS...
expect() { # CODE PATTERN ARGUMENTS...: exit code, and a pattern of standard output or error
  local want=$1 pattern=$2; shift 2
  run "$@"
  [ "$code" = "$want" ] || fail "exit code $code, want $want: $*"
  grep -qE -- "$pattern" "$out" "$err" || fail "no '$pattern': $*"
}

# Two models in two dtypes at two batches in two formats; the one without images has no channels.
product=(-k '^(mlp|resnet18)_' --dtype=fp32 --dtype=bf16 --batch=1 --batch=8 --memory-format=contiguous
  --memory-format=channels_last)
expect 0 '^20 configurations; 8 combinations dropped$' "${product[@]}" --dry-run
expect 0 '^dropped  8  --memory-format=channels_last: no input' "${product[@]}" --dry-run

run "${product[@]}" --list
sort "$out" >"$TEST_TMPDIR/whole"
for shard in 0 1 2; do run "${product[@]}" --list --shard=$shard/3; cat "$out"; done | sort >"$TEST_TMPDIR/together"
cmp "$TEST_TMPDIR/whole" "$TEST_TMPDIR/together" || fail "the shards are not the whole"

expect 3 'which cases\? All of them take days' --budget=0.1 --out="$TEST_TMPDIR/none"
expect 3 'which cases' --compare --libtorch=2.10.0 --libtorch=2.11.0

# Lists everything; names must be unique.
run --test=eval --test=train --list
if [ "$code" != 0 ] || [ -n "$(sort "$out" | uniq -d)" ]; then fail "names are not unique"; fi

expect 0 'tier 2  hf_Bert: bert_base_masked_lm, batch 32$' --list-tiers
expect 0 'tier 1  hf_GPT2: gpt2, batch 1$' --list-tiers
expect 0 'tier 1  dlrm: ' --list-tiers
expect 0 'BertForMaskedLM: done as bert_base_masked_lm, batch 32$' --list-others
expect 0 '^note  hf_Reformer: left out: ' -k '^hf_' --dry-run
# Every model of a suite has a model here, or a reason. Their numbers are those of the lists that other_suites.textproto names.
for suite_of in torchbench:104 huggingface:55 timm:18; do
  expect 0 ': done' --suite=${suite_of%:*} --list
  [ "$(grep -cE '^[^ :]+: (done|left out: .)' "$out")" = "${suite_of#*:}" ] || fail "models of ${suite_of%:*}"
  [ "$(wc -l <"$out")" = "${suite_of#*:}" ] && [ -z "$(sort "$out" | uniq -d)" ] || fail "lines of ${suite_of%:*}"
done
expect 0 '^hf_Whisper: done as whisper_tiny_audio_classification' --suite-name=torchbench --list
expect 0 '^cm3leon_generate: left out: ' --suite-name=torchbench --list
expect 0 '^yolov3_fp32_b1$' --only=yolov3 --list
expect 0 '^note  torchbench: 104 models: [0-9]+ done, [0-9]+ done under another name, [0-9]+ left out' --suite-name=torchbench --dry-run
expect 3 '^run_suite: --suite=tb: one of torchbench, huggingface, timm$' --suite=tb --list
expect 0 '^alexnet_fp32_b1024$' --filter-by-tier=2 --list
grep -q '_b8$' "$out" && fail "a tier takes a model in one batch"
expect 0 '^deit_tiny_patch16_224_fp32_b1$' --only=deit_tiny_patch16_224.fb_in1k --list
expect 3 'or --only=resnet18_fp32_b1 --batch=2 for a batch that no case has' --only=resnet18_fp32_b2 --list
expect 0 '^preset quick: --modes=wall' --preset=quick --only=mlp --list
expect 0 "^tools/bazel run //benchmarks/mlp:mlp_fp32_b1 -- --record=$TEST_TMPDIR/results.jsonl </dev/null$" \
  --only=mlp_fp32_b1 --out="$TEST_TMPDIR" --print-commands
expect 3 '^run_suite: --report: not with --list: only a run of the plan has results' --only=mlp_fp32_b1 --report --list

# Other suites' command lines are planned, or refused with a reason for each flag.
problems() { # the expected ones of the last line, and nothing else
  local line
  for line in "${refused[@]}"; do grep -qF -- "$line" "$err" || fail "no '$line': $words"; done
  [ "$(wc -l <"$err")" = "${#refused[@]}" ] || fail "want ${#refused[@]} lines of reasons: $words"
}
judge() {
  [ -n "$words" ] || return
  lines=$((lines + 1))
  case $words in *--dry-run*) ;; *) words="$words --list" ;; esac
  eval "run $words"
  if [ ${#refused[@]} -gt 0 ]; then
    [ "$code" = 3 ] || fail "exit code $code, want 3: $words"
    problems
  else
    [ "$code" = 0 ] && [ -s "$out" ] || fail "exit code $code: $words"
  fi
}
words='' refused=() lines=0
while IFS= read -r line; do
  case $line in
    '$ '*) judge; words=${line#\$ } refused=() ;;
    '#'* | '') ;;
    *) refused+=("$line") ;;
  esac
done <"$lines_file"
judge
[ "$lines" -ge 25 ] || fail "$lines command lines"

# A skip file of the user.
cat >"$TEST_TMPDIR/skips" <<'END'
skips { cases: "mlp_.*" dtype: FP32 reason: "not today" }
END
expect 0 'skipped: not today' --only=mlp_fp32_b1 --skips="$TEST_TMPDIR/skips" --dry-run
expect 0 '^1 configuration$' --only=mlp_fp32_b1 --skips="$TEST_TMPDIR/skips" --no-skip --dry-run
printf 'skips { cases: "mlp_.*" reason: "a" }\nskips { case: "x" }\n' >"$TEST_TMPDIR/skips"
expect 3 'skips:2: .*no field named "case"' --skips="$TEST_TMPDIR/skips" --list
printf '\n\nskips { cases: "mpl_.*" reason: "a" }\n' >"$TEST_TMPDIR/skips"
expect 3 'skips:3: no case of the registry' --skips="$TEST_TMPDIR/skips" --list
expect 3 'no/such/file' --skips=no/such/file --list

expect 3 'nearest names are .*resnet50' -k '^resnet5O$' --list
expect 3 '--filter=mlp_\(: no regular expression from character 5 on' -k 'mlp_(' --list
expect 3 'there are the tiers 1, 2, 3' --filter-by-tier=4 --list
expect 3 'no selected train case' --only=resnet34 --test=train --list
expect 3 'counted from 0' --shard=3/3 --list
expect 3 'did you mean --batch\?' --bach=8
expect 0 'tools/bazel run //tools:run_suite' --help
[ $failures = 0 ] || { echo "$failures failures"; exit 1; }
