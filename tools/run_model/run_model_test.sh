#!/bin/bash
# Runs files that Python wrote, as a person does, to the verdict.
set -eu
program=$PWD/$1
data=$PWD/$2

fail() {
  echo "run_model_test: $1" >&2
  cat "$TEST_TMPDIR/output" >&2
  exit 1
}

# expect CODE TEXT WORD...: the program's code and a text among what it prints.
expect() {
  local code=0
  "$program" --action=verify "${@:3}" >"$TEST_TMPDIR/output" 2>&1 || code=$?
  [ "$code" = "$1" ] || fail "${*:3}: code $code, not $1"
  grep -q -- "$2" "$TEST_TMPDIR/output" || fail "${*:3}: says nothing of '$2'"
}

steps=(--model="$data/steps.pt" --inputs="$data/steps_inputs.safetensors")
bag=(--model="$data/bag.pt2" --inputs="$data/bag_inputs.safetensors")
expect 0 "PASS     output_0 max" "${steps[@]}" --reference="$data/steps_outputs.safetensors"
expect 0 "PASS     output_0 max" "${bag[@]}" --reference="$data/bag_outputs.safetensors" --record="$TEST_TMPDIR/runs.jsonl"
grep -q '"module":"' "$TEST_TMPDIR/runs.jsonl" || fail "the record lacks the file's digest"
expect 0 "NOT_VERIFIED  the outputs of bag.pt2; give --reference" "${bag[@]}"
# The outputs of other inputs.
expect 1 FAIL_ACCURACY --model="$data/bag.pt2" --reference="$data/bag_outputs.safetensors"
expect 3 "not with --model: the file has its own" "${bag[@]}" --weights=a
