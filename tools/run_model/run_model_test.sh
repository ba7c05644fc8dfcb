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

# [action=measure] expect CODE TEXT WORD...: the program's code and a text among what it prints.
expect() {
  local code=0
  "$program" "--action=${action:-verify}" "${@:3}" >"$TEST_TMPDIR/output" 2>&1 || code=$?
  [ "$code" = "$1" ] || fail "${*:3}: code $code, not $1"
  grep -q -- "$2" "$TEST_TMPDIR/output" || fail "${*:3}: says nothing of '$2'"
}

"$program" --help | grep -e "^  --backend=NAME *eager" && fail "--help has the default of a case"
expect 3 "leave the flag out" --model="$data/bag.pt2" --backend=eager

steps=(--model="$data/steps.pt" --inputs="$data/steps_inputs.safetensors")
bag=(--model="$data/bag.pt2" --inputs="$data/bag_inputs.safetensors")
expect 0 "PASS     output_0 max" "${steps[@]}" --reference="$data/steps_outputs.safetensors"
expect 0 "PASS     output_0 max" "${bag[@]}" --reference="$data/bag_outputs.safetensors" --record="$TEST_TMPDIR/runs.jsonl"
grep -q '"module":"' "$TEST_TMPDIR/runs.jsonl" || fail "the record lacks the file's digest"
expect 0 "NOT_VERIFIED  the outputs of bag.pt2; give --reference" "${bag[@]}"
# The outputs of other inputs.
expect 1 FAIL_ACCURACY --model="$data/bag.pt2" --reference="$data/bag_outputs.safetensors"
expect 3 "not with --model: the file has its own" "${bag[@]}" --weights=a
expect 3 "--rule=dynamo_same: not with --model: it compares with an eager execution" "${bag[@]}" --rule=dynamo_same:1e-3

# A model that writes to its inputs gets the given ones in each call, also where it is timed.
writes=(--model="$data/writes.pt" --inputs="$data/writes_inputs.safetensors" --reference="$data/writes_outputs.safetensors")
expect 0 "NOTED    written_inputs: a call writes to state; " "${writes[@]}"
action=measure expect 0 "PASS     output_0 max" "${writes[@]}" --budget=0.05 --record="$TEST_TMPDIR/writes.jsonl"
grep -q '"name":"timed_is_verified","status":"CHECK_OK"' "$TEST_TMPDIR/writes.jsonl" || fail "what was timed is not what was verified"

# -inf is a value like another; scale, before the mask, has a default.
masks=(--model="$data/masks.pt" --inputs="$data/masks_inputs.safetensors" --reference="$data/masks_outputs.safetensors")
expect 0 "PASS     output_0 max" "${masks[@]}"
expect 0 "NOTED    nonfinite_inputs: mask holds NaN or infinity" "${masks[@]}"
action=measure expect 0 "PASS     output_0 max" "${masks[@]}" --budget=0.05 --record="$TEST_TMPDIR/masks.jsonl"
grep -q '"name":"timed_is_verified","status":"CHECK_OK"' "$TEST_TMPDIR/masks.jsonl" || fail "the given mask was not timed"

# Whole numbers are timed as they were given: an index of 100 means that nothing is picked, 68 is an
# error. Where all inputs are such, no other input is drawn, and the verdict says so.
picks=(--model="$data/picks.pt" --inputs="$data/picks_inputs.safetensors" --reference="$data/picks_outputs.safetensors")
action=measure expect 0 "PASS     output_0 max" "${picks[@]}" --budget=0.05 --record="$TEST_TMPDIR/picks.jsonl"
grep -q "NOTED    whole_inputs: index holds whole numbers or booleans; timed calls get the given values$" "$TEST_TMPDIR/output" ||
  fail "the note names other inputs than index"
# On a busy machine a call may take too much of the budget to try others.
grep -q "the work has one set of inputs" "$TEST_TMPDIR/picks.jsonl" && fail "x, which holds floats, was not drawn"
action=measure expect 0 "whole_inputs: x, index hold whole numbers or booleans; .*; no input is drawn" \
  --model="$data/picks.pt" --inputs="$data/picks_whole_inputs.safetensors" --budget=0.05
grep -q inputs_matter "$TEST_TMPDIR/output" && fail "one set of inputs is held against itself"

# Where a call of drawn numbers fails, the given ones are timed.
action=measure expect 0 "NOTED    fixed_inputs: a call of drawn inputs fails: builtins.ValueError: times must be whole; timed calls get the given values" \
  --model="$data/repeats.pt" --inputs="$data/repeats_inputs.safetensors" --reference="$data/repeats_outputs.safetensors" --budget=0.05

# -inf in a reference must be there in the output, too; the bag's outputs are finite.
logits=(--model="$data/logits.pt" --inputs="$data/logits_inputs.safetensors")
expect 0 "PASS     output_0 max" "${logits[@]}" --reference="$data/logits_outputs.safetensors"
grep -q "NOTED    nonfinite_outputs: output_0 is infinite in 33.3 % of its elements, just where the reference is" "$TEST_TMPDIR/output" ||
  fail "the verdict says nothing of -inf"
expect 1 '"output_0" is not finite' "${logits[@]}" --reference="$data/writes_outputs.safetensors"
expect 1 "got .* want -inf" --model="$data/writes.pt" --inputs="$data/writes_inputs.safetensors" --reference="$data/logits_outputs.safetensors"

# A module that keeps its state in itself begins each call with what the file holds, also where it is timed.
recalls=(--model="$data/recalls.pt" --inputs="$data/recalls_inputs.safetensors" --reference="$data/recalls_outputs.safetensors")
action=measure expect 0 "NOTED    written_state: a call changes the module's own seen, state; " "${recalls[@]}" --budget=0.05 --record="$TEST_TMPDIR/recalls.jsonl"
grep -q "PASS     output_0 max" "$TEST_TMPDIR/output" || fail "the second call began with what the first one left"
grep -q '"name":"timed_is_verified","status":"CHECK_OK"' "$TEST_TMPDIR/recalls.jsonl" || fail "what was timed is not what was verified"

expect 3 "rate is of type int, which --input-spec draws: --inputs=FILE gives its value" --model="$data/recalls.pt" \
  --input-spec='x:fp32[2,3]' --input-spec='rate:int64[]'

# An argument that is a number; a model that prints; NaN without a reference.
needs=(--model="$data/needs.pt" --inputs="$data/needs_inputs.safetensors")
expect 3 "the argument times is of type int and has no default; give --inputs=FILE" --model="$data/needs.pt" --input-spec='x:fp32[2,3]'
expect 0 "NOTED    nonfinite_outputs: output_1 is NaN in 100 % of its elements" "${needs[@]}"
grep -q "printed by the model" "$TEST_TMPDIR/output" || fail "what the model prints is lost"
"$program" --action=verify "${needs[@]}" 2>/dev/null | grep -q "printed by the model" && fail "the model printed among the results"

# torchvision's operators without torchvision, on a list of images; other images leave another number of boxes.
finds=(--model="$data/finds.pt" --inputs="$data/finds_inputs.safetensors" --reference="$data/finds_outputs.safetensors")
expect 0 "PASS     output_0 max" "${finds[@]}"
expect 0 "NOTED    fixed_inputs: a call of drawn inputs gives outputs of other shapes" "${finds[@]}"

# The process that describes a file has the run's limit.
expect 2 "TIMEOUT: .*loops.pt: not loaded and called once within 2s" --model="$data/loops.pt" --input-spec='x:fp32[2]' --timeout=2
