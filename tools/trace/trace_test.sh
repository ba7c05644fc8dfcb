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
expect 3 "there is no action draw; there are stats, validate, list, tree, node, " draw "$linear"
expect 3 "--node: not with stats; it takes --join and --rank alone" stats "$linear" --node=1
expect 3 "--top: not with list; it takes --detail, --json" list "$linear" --top=1
expect 3 "stats takes 1 file, not 2" stats "$linear" "$triton"
expect 3 "compare takes 2 files, not 1" compare "$linear"
expect 2 "No such file" stats no/such/file

# A replay is a run of the harness: a record, a verdict, a time.
expect 0 "coverage  710 of 710 operators (100.0 %)" replay "$linear" --action=verify
expect 0 "results have the trace's shapes, dtypes and strides" replay "$triton" --step=all --budget=0.05 --record="$TEST_TMPDIR/runs.jsonl"
grep -q "lost      2 of triton_poi_fused_add_cos_neg_sin_0 (node 16): a Triton kernel" "$TEST_TMPDIR/output" || fail "names no loss"
grep -q "pt2_triton_1_1_1_all/wall" "$TEST_TMPDIR/output" || fail "has no time"
grep -q '"outcome":"NOT_VERIFIED"' "$TEST_TMPDIR/runs.jsonl" || fail "has no record"
expect 0 "coverage  1 of 2 operators" replay "$triton" --subgraph=ProfilerStep#6 --action=verify
expect 0 "coverage  1 of 2 operators" replay "$triton" --step=6 --action=verify
expect 0 "coverage  1 of 2 operators" replay "$triton" --action=verify
expect 3 "--subgraph=ProfilerStep#9: no node" replay "$triton" --subgraph=ProfilerStep#9
expect 3 "--step=ProfilerStep#9: no node of the trace has that name; its steps are ProfilerStep#5, ProfilerStep#6" replay "$triton" --step=9
expect 3 "--batch: not with --replay: the trace has its own shapes" replay "$linear" --batch=2
expect 2 "No such file" replay no/such/file

# Another part of the file is another configuration.
expect 0 "pt2_triton_1_1_1_ProfilerStep_6/wall" replay "$triton" --subgraph=ProfilerStep#6 --budget=0.05 --record="$TEST_TMPDIR/runs.jsonl"
[ "$(grep -o '"configuration":{"digest":"[^"]*' "$TEST_TMPDIR/runs.jsonl" | sort -u | wc -l)" = 2 ] || fail "has not two configurations"
# A record holds what a trace says in bytes that are not UTF-8.
zcat "$triton" | sed -e 's/cm742fnyrs4e/cm742fnyrs4é/' -e '0,/"aten::mm\.out(/s//"my::op\xff.out(/' >"$TEST_TMPDIR/bytes.json"
expect 0 "lost      aten::mm (node .*: there is no operator 'my::op.xff.out'" replay "$TEST_TMPDIR/bytes.json" --step=all --budget=0.05 --record="$TEST_TMPDIR/bytes.jsonl"
for text in 'cm742fnyrs4\\\\xc3…' 'my::op\\\\xff'; do
  grep -q "$text" "$TEST_TMPDIR/bytes.jsonl" || fail "the record has no $text"
done

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
grep -q '"trace_replay":{"operators":"143","covered":"143",.*"busy_ns":"[0-9]*",.*"work":\[{"name":"aten::' "$TEST_TMPDIR/verified.jsonl" ||
  fail "the record says nothing of the trace"
grep -q '"name":"timed_is_verified","status":"CHECK_OK"' "$TEST_TMPDIR/verified.jsonl" || fail "the timed call is not verified"
# Whole copies of the trace have its values, too.
for way in "convert --to=et" clean; do
  # shellcheck disable=SC2086  # words
  expect 0 "^wrote " $way "$step.json" --out="$TEST_TMPDIR/copy.json"
  cp "$step.values.safetensors" "$TEST_TMPDIR/copy.values.safetensors"
  expect 0 "digests: \([0-9]*\) of \1 results equal to the bit" replay "$TEST_TMPDIR/copy.json" --threads=1 --action=verify
done
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

# Tensors and graphs.
expect 0 "^    13        6  float\[1024, 1024\]" tensors "$linear"
expect 0 '"made_by":14' tensors "$linear" --json
expect 0 "operators, .* edges$" graph "$linear" --out="$TEST_TMPDIR/made/linear.dot"
grep -q '^  n[0-9]* -> n[0-9]* .label="float.*"' "$TEST_TMPDIR/made/linear.dot" || fail "draws no edge"
expect 0 "^wrote .*: 4 operators, 2 edges" graph "$triton" --out="$TEST_TMPDIR/made/triton.graphml"
python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$TEST_TMPDIR/made/triton.graphml" || fail "is no XML"
expect 3 "a picture has at most 300 operators, and these are 320; --subgraph" graph "$linear" --out=x.svg
expect 3 "graph FILE: --out=X.svg, X.dot or X.graphml" graph "$linear" --out=x.png
expect 3 "no operator of the trace has this id" graph "$linear" --out=x.dot --node=1
code=0
PATH=/none "$program" graph "$triton" --out="$TEST_TMPDIR/made/triton.svg" >"$TEST_TMPDIR/output" 2>&1 || code=$?
[ "$code" = 2 ] && grep -q "Graphviz's program dot draws it, and PATH has none: .* --out=X.graphml need no program" "$TEST_TMPDIR/output" || fail "graph without dot: code $code"

# Two traces of one program: equal, and with known differences.
expect 0 "^same      320 calls are equal" compare "$linear" "$linear" --gate
expect 0 "^same      4 calls are equal" diff "$triton" "$triton"
zcat "$triton" >"$TEST_TMPDIR/triton.json"
sed 's/"aten::mm\.out(/"aten::bmm.out(/g' "$TEST_TMPDIR/triton.json" >"$TEST_TMPDIR/other.json"
expect 1 "^different 4 calls: 2 appeared, 2 vanished; 2 are equal" compare "$TEST_TMPDIR/triton.json" "$TEST_TMPDIR/other.json" --gate
expect 0 "^vanished .*aten::mm.out(float\[4, 4\]" compare "$TEST_TMPDIR/triton.json" "$TEST_TMPDIR/other.json"
expect 0 '"kind": "appeared",' compare "$TEST_TMPDIR/triton.json" "$TEST_TMPDIR/other.json" --json

# Into configurations and cases.
sed 's/\[11,2,0,16,4,/[11,2,0,16,8,/' "$TEST_TMPDIR/triton.json" >"$TEST_TMPDIR/wide.json"
expect 3 "can be called here; aten::mm (node 13): tensor 11 of dtype float has elements of 8 bytes" convert "$TEST_TMPDIR/wide.json" --to=param --out="$TEST_TMPDIR/made/wide.json"
expect 0 "^converted 2 of 4 calls, as 1 different call; the trace has no times" convert "$triton" --to=param --out="$TEST_TMPDIR/made/ops.json"
grep -q "left out  triton_poi_fused_add_cos_neg_sin_0 (2 calls): a Triton kernel" "$TEST_TMPDIR/output" || fail "names no reason"
grep -q '"value": "aten::mm.out(Tensor self, Tensor mat2, \*, Tensor(a!) out) -> Tensor(a!)"' "$TEST_TMPDIR/made/ops.json" || fail "has no schema"
expect 3 "no operator can be a case" convert "$triton" --to=cases --out="$TEST_TMPDIR/none"
expect 0 "^wrote  .*cases" convert "$linear" --to=cases --out="$TEST_TMPDIR/cases"
grep -q 'default_case = "[a-z_0-9]*_fp32"' "$TEST_TMPDIR/cases/BUILD.bazel" || fail "has no default case"
expect 0 "^wrote " convert "$linear" --to=cases --out="$TEST_TMPDIR/cases" --top=2
echo "# mine" >"$TEST_TMPDIR/cases/BUILD.bazel"
expect 3 "BUILD.bazel is there and was not made by convert" convert "$linear" --to=cases --out="$TEST_TMPDIR/cases"
expect 0 "^left out  all others (.* calls): --top=3" convert "$linear" --to=param --out="$TEST_TMPDIR/made/three.json" --top=3
expect 0 "aten::addmm(" convert "$linear" --to=param --out="$TEST_TMPDIR/made/inner.json" --detail
expect 3 "convert FILE: --to=onnx: it is param, cases, et or chakra" convert "$linear" --to=onnx --out=x

# A trace of torch.profiler: times, but no results.
kineto="$data/kineto_mlp_train.json.gz"
expect 0 "286 operators have times" stats "$kineto"
expect 0 "Trace validation result = True" validate "$kineto"
expect 0 "^converted 96 of 98 calls, as 39 different calls: 99.8 %" convert "$kineto" --to=param --out="$TEST_TMPDIR/made/kineto.json"
expect 3 "it cannot be replayed" replay "$kineto"
expect 0 "^wrote     931 nodes to" convert "$linear" --to=chakra --out="$TEST_TMPDIR/made/linear.et"
expect 0 "nodes      931: 710 operators, 320 of them top-most" stats "$TEST_TMPDIR/made/linear.et"

# Back: calls times time. param repeats a configuration in its result.
python3 - "$TEST_TMPDIR/made/ops.json" >"$TEST_TMPDIR/results.json" <<'END'
import json, sys
config = json.load(open(sys.argv[1]))["aten::mm"]["config"][0]
print(json.dumps({"op_name": "aten::mm", "id": "0|0|0", "metric": {"forward": {"measure.time": [1, 3, 2]}},
                  "config": {"build": config["build"][0], "input": config["input"][0]}}))
END
expect 0 "^predicted 4 ms for 1 of 1 different call; the trace has no times" predict "$triton" "$TEST_TMPDIR/results.json"
echo '{}' >"$TEST_TMPDIR/empty.json"
expect 3 "no result is of an operator of this trace" predict "$triton" "$TEST_TMPDIR/empty.json"
expect 2 "cannot be read" predict "$triton" no/such/file

# Other traces out of a trace; an anonymous one replays as far as before.
expect 0 "^wrote .*: 14 of 20 nodes" clean "$triton" --out="$TEST_TMPDIR/made/clean.json"
expect 0 "Trace validation result = True" validate "$TEST_TMPDIR/made/clean.json"
sed 's/"aten::mm/"secret::mm/g' "$TEST_TMPDIR/triton.json" >"$TEST_TMPDIR/secret.json"
expect 0 "^wrote .*: 20 of 20 nodes" anonymise "$TEST_TMPDIR/secret.json" --out="$TEST_TMPDIR/made/hidden.json"
for word in secret triton_poi cm742 fnyrs ProfilerStep#6.py; do
  grep -q "$word" "$TEST_TMPDIR/made/hidden.json" && fail "the anonymous trace has $word"
done
expect 0 "^wrote " anonymise "$linear" --out="$TEST_TMPDIR/made/linear.json"
expect 0 "^coverage  710 of 710 operators" replay "$TEST_TMPDIR/made/linear.json" --action=verify
expect 3 "anonymise FILE: --out=OTHER.json" anonymise "$linear"

# Times: a trace with two operators of 30 and 10 us, 20 us apart, and one without a time.
cat >"$TEST_TMPDIR/timed.json" <<'END'
{"schema": "1.1.1-chakra.0.0.4", "pid": 1, "time": "", "start_ts": 0, "nodes": [
{"id": 3, "name": "aten::mm", "ctrl_deps": 1,
 "inputs": {"values": [[4,5,0,6,4,"cpu"],[6,7,0,6,4,"cpu"]], "shapes": [[2,3],[3,2]], "types": ["Tensor(float)","Tensor(float)"], "strides": [[3,1],[2,1]]},
 "outputs": {"values": [[8,9,0,4,4,"cpu"]], "shapes": [[2,2]], "types": ["Tensor(float)"], "strides": [[2,1]]},
 "attrs": [{"name": "op_schema", "type": "string", "value": "aten::mm(Tensor self, Tensor mat2) -> Tensor"},
           {"name": "start_ns", "type": "int64", "value": 0}, {"name": "duration_ns", "type": "int64", "value": 30000}]},
{"id": 10, "name": "aten::relu", "ctrl_deps": 1,
 "inputs": {"values": [[8,9,0,4,4,"cpu"]], "shapes": [[2,2]], "types": ["Tensor(float)"], "strides": [[2,1]]},
 "outputs": {"values": [[11,12,0,4,4,"cpu"]], "shapes": [[2,2]], "types": ["Tensor(float)"], "strides": [[2,1]]},
 "attrs": [{"name": "op_schema", "type": "string", "value": "aten::relu(Tensor self) -> Tensor"},
           {"name": "start_ns", "type": "int64", "value": 50000}, {"name": "duration_ns", "type": "int64", "value": 10000}]},
{"id": 13, "name": "aten::neg", "ctrl_deps": 1,
 "inputs": {"values": [[11,12,0,4,4,"cpu"]], "shapes": [[2,2]], "types": ["Tensor(float)"], "strides": [[2,1]]},
 "outputs": {"values": [[14,15,0,4,4,"cpu"]], "shapes": [[2,2]], "types": ["Tensor(float)"], "strides": [[2,1]]},
 "attrs": [{"name": "op_schema", "type": "string", "value": "aten::neg(Tensor self) -> Tensor"}]},
{"id": 1, "name": "[pytorch|profiler|execution_trace|process]", "ctrl_deps": 1,
 "inputs": {"values": [], "shapes": [], "types": []}, "outputs": {"values": [], "shapes": [], "types": []}, "attrs": []}],
"finish_ts": 1}
END
timed=$TEST_TMPDIR/timed.json
expect 0 "^whole     60 us, of which operators run 66.7 %" explain "$timed"
expect 0 "^idle      20 us, 33.3 %: no operator with a time runs" explain "$timed"
expect 0 "^times     only 2 of 3 operators have a time" explain "$timed"
expect 0 "^aten::mm   *1  *30 us  50.0 %  *0.0008  *0.002133" explain "$timed"
expect 0 '"idle\|"busy_ns": 40000' explain "$timed" --json
# An operator has the operations of the one that leaves its work to it alone.
sed -e 's/aten::relu/my::relu/' -e '/"id": 10,/s/"ctrl_deps": 1/"ctrl_deps": 3/' "$timed" >"$TEST_TMPDIR/inner.json"
expect 0 "^my::relu  *1  *10 us  *[0-9.]* %  *0.0024  *0.0032" explain "$TEST_TMPDIR/inner.json"
sed -i '/"id": 13,/s/"ctrl_deps": 1/"ctrl_deps": 3/' "$TEST_TMPDIR/inner.json"
expect 0 "^my::relu  *1  *10 us  *[0-9.]* %  *-  *0.0032" explain "$TEST_TMPDIR/inner.json"
expect 3 "the trace has no times" explain "$linear"
expect 3 "no record has peaks" explain "$timed" "$TEST_TMPDIR/empty.json"
sed 's/"value": 10000}/"value": 25000}/' "$timed" >"$TEST_TMPDIR/slower.json"
expect 0 "^time      40 us -> 55 us, +15 us (+37.5 %)" compare "$timed" "$TEST_TMPDIR/slower.json" --gate
expect 0 "^slower  *1  *+15 us  *100.0 %  *aten::relu(float\[2, 2\])" compare "$timed" "$TEST_TMPDIR/slower.json"
expect 0 "^times     only 2 of 3 calls have a time" convert "$timed" --to=param --out="$TEST_TMPDIR/made/timed.json"
expect 0 "^aten::mm(float\[2, 3\], float\[3, 2\])  *1  *30 us  *75.0 %" convert "$timed" --to=cases --out="$TEST_TMPDIR/timed"

# Times of GPUs: device_times_test draws this trace. Its operators have no arguments.
gpu=$data/kineto_gpu.json
expect 0 "^device 0       145 us from the begin of the first of 8 kernels to the end of the last one, on 3 streams" explain "$gpu"
expect 0 "^left out  2 events of the profiler whose \"dur\" is missing or negative" explain "$gpu"
expect 0 "^communication  30 us, 20.7 %: .*; 66.7 % of this time while kernels compute" explain "$gpu"
expect 0 "^idle           36 us, 24.8 %" explain "$gpu"
expect 0 "^  late         16 us, 11.0 %: the next kernel was launched after the device fell idle" explain "$gpu"
expect 0 "^launches       7 calls: 3 (42.9 %) take longer than their kernels, 1 longer than 50 us" explain "$gpu"
expect 0 "^overlap        1 kernel begins before" explain "$gpu"
expect 0 "^gemm  *compute  *2  *50 us  *33.3 %  aten::mm" explain "$gpu"
expect 0 "^whole     167 us, of which operators run 74.3 %" explain "$gpu"
expect 0 "^device 1 " explain "$timed" --join="$gpu"
"$program" explain "$gpu" --json --top=1 2>/dev/null | python3 -c '
import json, sys
all = json.load(sys.stdin)
device = all["devices"][0]
assert (device["idle_ns"], device["idle_late_ns"], device["median_delay_ns"]) == (36000, 16000, 5000), device
assert [kernel["kernel"] for kernel in all["kernels"]] == ["gemm"], all["kernels"]' || fail "explain --json"

# An archive of ranks.
(cd "$TEST_TMPDIR" && cp triton.json rank-0.json && cp timed.json rank-1.json && python3 -m zipfile -c ranks.zip rank-0.json rank-1.json)
expect 3 "ranks.zip: it holds 2 traces; choose one by --rank=N or by its name" stats "$TEST_TMPDIR/ranks.zip"
expect 0 "^whole     60 us" explain "$TEST_TMPDIR/ranks.zip" --rank=1
expect 0 "num ops = 4, " validate "$TEST_TMPDIR/ranks.zip/rank-0.json"
expect 0 "ranks_zip_rank0_6/wall" replay "$TEST_TMPDIR/ranks.zip" --rank=0 --step=6 --budget=0.05
head -c 500 "$TEST_TMPDIR/ranks.zip" >"$TEST_TMPDIR/cut.zip"
expect 3 "cut.zip: not a usable zip file: it does not end with an end record (truncated, or with a comment)" stats "$TEST_TMPDIR/cut.zip"

# Files that are no traces.
: >"$TEST_TMPDIR/empty"
printf '\x89PNG\r\n' >"$TEST_TMPDIR/picture.json"
gzip -c "$TEST_TMPDIR/empty" >"$TEST_TMPDIR/nothing.json.gz"
echo '[]' >"$TEST_TMPDIR/list.json"
echo '{"traceEvents": []}' >"$TEST_TMPDIR/events.json"
expect 3 "it is no trace: it is empty: its writer may have been stopped. Traces are JSON of" stats "$TEST_TMPDIR/empty"
expect 3 "it is no trace: it is empty" explain "$TEST_TMPDIR/nothing.json.gz"
expect 3 "it is no trace: it looks like a picture. Traces are JSON of ExecutionTraceObserver or torch.profiler, or Chakra's .et" list "$TEST_TMPDIR/picture.json"
expect 3 'it looks like a JSON list, .*; put {"traceEvents": before it and } behind it' tree "$TEST_TMPDIR/list.json"
expect 3 "the trace has no operators" explain "$TEST_TMPDIR/events.json"
expect 3 "there is no action .*/list.json; .* a file stands behind them: stats FILE" "$TEST_TMPDIR/list.json"
expect 0 "^kernels    10, of GPUs" stats "$gpu"
