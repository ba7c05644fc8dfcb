#!/bin/bash
# Shows, checks and replays public traces and one of this suite, as a person does. Arguments: the program, the folder
# of public traces, and a training case's program.
set -eu
program=$PWD/$1
data=$PWD/$2
case_program=$PWD/$3

fail() {
  echo "trace_test: $1" >&2
  cat "$TEST_TMPDIR/output" >&2
  exit 1
}

# expect CODE TEXT WORD...: the program's code and a text among what it prints.
expect() {
  local code=0
  "$program" "${@:3}" >"$TEST_TMPDIR/output" 2>&1 || code=$?
  [ "$code" = "$1" ] || fail "${*:3}: code $code, not $1"
  grep -q -- "$2" "$TEST_TMPDIR/output" || fail "${*:3}: says nothing of '$2'"
}

linear=$data/linear_1.0.1.json.gz
triton=$data/pt2_triton_1.1.1.json.gz

expect 0 "nodes      931: 710 operators, 320 of them top-most" stats "$linear"
expect 0 "num ops = 4, num comms = 0, num triton ops = 2" validate "$triton"
expect 0 "note   six decimals: aten::cross_entropy_loss (node 499)" validate "$linear"
expect 0 "^aten::linear  *21 " list "$linear"
expect 0 "^aten::as_strided  *104 " list "$linear" --detail
expect 0 '"dtype": "float",' list "$linear" --json
expect 0 "^    (9) aten::linear(float\[512, 1024\], " tree "$linear"
expect 0 "^      (10) aten::t(" tree "$linear" --detail
expect 0 "tensor 13 float\[1024, 1024\] in storage 6 + 0 on cuda:0 --> aten::addmm (node 14)" node "$linear" --node=10
expect 3 "no node of the trace has the id 5000" node "$linear" --node=5000
expect 3 "there is no action draw" draw "$linear"
expect 2 "No such file" stats no/such/file

# A replay is a run of the harness: a record, a verdict, a time.
expect 0 "coverage  710 of 710 operators (100.0 %)" replay "$linear" --action=verify
expect 0 "results have the trace's shapes, dtypes and strides" replay "$triton" --step=all --budget=0.05 --record="$TEST_TMPDIR/runs.jsonl"
grep -q "lost      2 of triton_poi_fused_add_cos_neg_sin_0 (node 16): a Triton kernel" "$TEST_TMPDIR/output" || fail "names no loss"
grep -q "pt2_triton_1_1_1/wall" "$TEST_TMPDIR/output" || fail "has no time"
grep -q '"outcome":"NOT_VERIFIED"' "$TEST_TMPDIR/runs.jsonl" || fail "has no record"
expect 0 "coverage  1 of 2 operators" replay "$triton" --subgraph=ProfilerStep#6 --action=verify
expect 0 "coverage  1 of 2 operators" replay "$triton" --step=6 --action=verify
expect 0 "coverage  1 of 2 operators" replay "$triton" --action=verify
expect 3 "--subgraph=ProfilerStep#9: no node" replay "$triton" --subgraph=ProfilerStep#9
expect 3 "--step=ProfilerStep#9: no node of the trace has that name; its steps are ProfilerStep#5, ProfilerStep#6" replay "$triton" --step=9
expect 3 "--batch: not with --replay: the trace has its own shapes" replay "$linear" --batch=2
expect 2 "No such file" replay no/such/file

# et_replay's flags.
echo '{"skip nodes": ["aten::mm"]}' >"$TEST_TMPDIR/config.json"
expect 3 "no operator of the trace that returns a tensor can be replayed" replay "$triton" --replay-config="$TEST_TMPDIR/config.json"
expect 0 "note      --profile-memory changes nothing" --trace-path "$triton" -m comp --warmup-iter 1 --iter 2 --profile-memory --cpu
grep -q "pt2_triton_1_1_1/continuous" "$TEST_TMPDIR/output" || fail "has not PARAM's way to measure"
expect 3 "--mode=comm: collectives need the other ranks" --input "$triton" -m comm
expect 3 "--gpu: traces are replayed on the CPU" --input "$triton" --gpu
expect 3 "--load-library: .*no/library.so" replay "$triton" --load-library=no/library.so

# A capture with values: each result is what it was, to the bit, and so is the timed call's.
"$case_program" --verify=off --modes=wall --budget=0.05 --threads=1 --steps=train_step --capture-trace="$TEST_TMPDIR" --trace-values >"$TEST_TMPDIR/output" 2>&1 ||
  fail "no capture"
step=$TEST_TMPDIR/mlp_fp32_b8_train.train_step
expect 0 "checked   the trace's digests: \([0-9]*\) of \1 results equal to the bit" replay "$step.json" --threads=1 --budget=0.05 --record="$TEST_TMPDIR/verified.jsonl"
grep -q "verdict   PASS" "$TEST_TMPDIR/output" || fail "is not verified"
grep -q "100.0 % of their recorded time" "$TEST_TMPDIR/output" || fail "has no recorded time"
grep -q "autograd .*a replay builds and runs no graph" "$TEST_TMPDIR/output" || fail "does not name the engine"
grep -q '"outcome":"PASS"' "$TEST_TMPDIR/verified.jsonl" || fail "has no record"
grep -q '"name":"timed_is_verified","status":"CHECK_OK"' "$TEST_TMPDIR/verified.jsonl" || fail "the timed call is not verified"
# A mutant: another dampening of the momentum.
sed 's/,0\.0,0\.9,1e-12,0\.0,false/,0.0,0.9,1e-12,0.5,false/' "$step.json" >"$TEST_TMPDIR/mutant.json"
cp "$step.values.safetensors" "$TEST_TMPDIR/mutant.values.safetensors"
expect 1 "differs   aten::_fused_sgd_ (node [0-9]*): tensor [0-9]* that it writes to element" replay "$TEST_TMPDIR/mutant.json" --threads=1 --action=verify
rm "$step.values.safetensors"
expect 0 "which the trace's values are in, isn't beside the trace" replay "$step.json" --action=verify

# A torn file, and one whose results are of another shape.
zcat "$linear" | head -c 300000 >"$TEST_TMPDIR/torn.json"
expect 0 "note   torn file: the file ends within or behind node" validate "$TEST_TMPDIR/torn.json"
zcat "$triton" | sed 's/"outputs": {"values": \[\[15,4,0,16,4,"cuda:0"\]\], "shapes": \[\[4,4\]\]/"outputs": {"values": [[15,4,0,16,4,"cuda:0"]], "shapes": [[2,8]]/' >"$TEST_TMPDIR/wrong.json"
expect 1 "differs   aten::mm (node 13): result 0 has shape \[4, 4\], in the trace \[2, 8\]" replay "$TEST_TMPDIR/wrong.json" --action=verify
zcat "$triton" | sed 's/"id": 13,/"id": 26,/' >"$TEST_TMPDIR/twice.json"
expect 1 "error  id twice: aten::mm (node 26) has the id of another node" validate "$TEST_TMPDIR/twice.json"
