#!/bin/bash
# Tests `param` from its command line to its files: lines, ids, errors, an operator that dies, the exit code.
set -euo pipefail
param="$PWD/$1"
configs="$PWD/benchmarks/operators/param/configs"
plugin="$PWD/benchmarks/harness/sampling/cuda/libbroken_plugin.so"
cd "$TEST_TMPDIR"

fail() { echo "FAILED: $*" >&2; exit 1; }

# run CODE WORDS...: runs param and expects the exit code; the output's path is in $out.
run() {
  local want="$1" got=0
  shift
  out="$("$param" "$@" 2>stderr.txt)" || got=$?
  [ "$got" = "$want" ] || { cat stderr.txt >&2; fail "param $*: exit code $got, want $want"; }
}

# check SCRIPT: Python on `lines`, the output's JSON lines.
check() {
  python3 - "$out" "$1" <<'PY' || fail "$out: $1"
import json, sys
lines = [json.loads(text) for text in open(sys.argv[1])]
items = [line for line in lines if "op_name" in line]
ids = ["%s|%s" % (line["op_name"], line["id"]) for line in items]
errors = {"%s|%s" % (l["op_name"], l["id"]): l["error"]["class"] for l in items if "error" in l}
exec(sys.argv[2])
PY
}

# PARAM's lines, with PARAM's fields.
run 0 -c "$configs/simple_add.json" -i 20 -w 5 --exec-mode continuous --record=records.jsonl
check '
assert len(lines) == 3, len(lines)
assert set(lines[0]) == {"run_options", "sys_info", "start_time"}, lines[0]
assert lines[0]["run_options"]["iteration"] == 20
assert ids == ["torch.add|0|0|0"], ids
metric = lines[1]["metric"]
assert list(metric) == ["forward"], metric
assert len(metric["forward"]["warmup.time"]) == 5 and len(metric["forward"]["measure.time"]) == 20, metric
assert all(0 < ms < 1e4 for ms in metric["forward"]["measure.time"]), metric
assert lines[1]["config"]["build"] is None and len(lines[1]["config"]["input"]["args"]) == 2
assert list(lines[2]) == ["finish_time"]
'
case "$out" in benchmark_result_*_*.json) ;; *) fail "the name is $out" ;; esac

# Our record of the same run, with the same samples.
python3 - "$out" <<'PY' || fail "the record"
import json, sys
record = json.loads(open("records.jsonl").read())
line = json.loads(open(sys.argv[1]).read().splitlines()[1])
assert record["outcome"] == record["verdict"]["outcome"] == "PASS", record["verdict"]
assert line["verdict"]["outcome"] == "PASS" and line["verdict"]["largest_error"] < 1e-6, line
assert record["benchmark_case"]["name"] == "torch.add|0|0|0"
[measurement] = record["measurements"]
assert measurement["preset"] == "continuous" and measurement["step"] == "forward"
assert [ns / 1e6 for ns in measurement["samples_ns"]] == line["metric"]["forward"]["measure.time"]
PY

# A kernel's fault costs CUDA's context, so the next item has a process of its own. A plugin stands for the GPU.
python3 - "$configs/simple_add.json" >twice.json <<'PY'
import json, sys
config = json.load(open(sys.argv[1]))
[entry] = config.values()
print(json.dumps({"torch.add": entry, "torch.mul": entry}))
PY
run 1 -c twice.json -d cuda --cuda-plugin="$plugin"
check '
assert ids == ["torch.add|0|0|0", "torch.mul|0|0|0"], ids
assert list(errors.values()) == ["CRASH", "CRASH"], errors
assert len(lines) == 4 and list(lines[3]) == ["finish_time"], lines
'

# The costs of a call of 1024 x 1024 matrices, forward and backward with gradients that are added to earlier ones, and
# the machine's peaks.
run 0 -c "$configs/simple_mm.json" -b --record=costs.jsonl --peaks
python3 - <<'PY' || fail "costs and peaks"
import json
record = json.loads(open("costs.jsonl").read())
assert record["benchmark_case"]["dtype"] == "FP32", record["benchmark_case"]
forward, backward = record["measurements"]
product, matrix = 2 * 1024**3, 4 * 1024**2
assert (forward["flops_per_call"], forward["bytes_per_call"]) == (product, 3 * matrix), forward
assert (backward["flops_per_call"], backward["bytes_per_call"]) == (2 * product, (3 + 2 * 2) * matrix), backward
assert (forward["operators_per_call"], backward["operators_per_call"]) == (1, 4), (forward, backward)
assert [p["name"] for p in record["peaks"] if p["per_s"] > 0] == ["compute", "stream", "read"], record["peaks"]
PY
run 3 -c "$configs/simple_mm.json" --peaks

# Every kind of operator, with backward.
for config in native_basic_ops aten_ops mm simple_add_range alex_net_small; do
  run 0 -c "$configs/$config.json" -b -o "$config"
  check '
assert ids and not errors, errors
for line in items:
    assert set(line["metric"]) >= {"forward"}, line
    # An in-place operator has no backward pass.
    backward = line["metric"]["backward"]["measure.time"]
    assert len(backward) == (0 if line["op_name"].endswith("_") else 1), line
    # Everything is compared with float64, but what is random or of uninitialised memory.
    assert line["verdict"]["outcome"] in ("PASS", "NOT_VERIFIED"), line
    assert line["verdict"]["outcome"] == "PASS" or line["verdict"]["message"].split(":")[0] in (
        "random, equal for equal seeds", "ran; results are free"), line
'
done
[ "$(basename "$out" | cut -d_ -f1-3)" = alex_net_small ] || fail "the prefix: $out"

# A range of shapes, each measured.
run 0 -c "$configs/simple_mm_range.json" -w 0 -l error --verify=off
check '
assert [line["config"]["input"]["args"][0]["shape"] for line in items] == [[rows, 256] for rows in range(128, 2049, 16)]
assert all(line["metric"]["forward"]["measure.time"][0] > 0 for line in items)
'

# All ids; then exactly those between two ids.
run 0 -c "$configs/simple_add_range.json" -w 0 -i 0
check '
assert len(ids) == 10 + 6 + 11 + 6, ids
assert ids[0] == "torch.add|0|0|0_0" and ids[10] == "torch.add|0|0|1_0" and ids[16] == "torch.add|1|0|0_0", ids
assert all(line["metric"] == {} for line in items)
'
run 0 -c "$configs/simple_add_range.json" -r "torch.add|0|0|1_4" -s "torch.add|1|0|0_2"
check 'assert ids == ["torch.add|0|0|1_4", "torch.add|0|0|1_5", "torch.add|1|0|0_0", "torch.add|1|0|0_1"], ids'
run 3 -c "$configs/simple_add_range.json" -r "torch.add|7|0|0_0"
check 'assert ids == [] and lines[1]["error"]["class"] == "UNKNOWN_ID", lines'

# An item that is wrong gets a line with its error, and the rest is measured.
cat >wrong.json <<'JSON'
{"torch.addd": {"config": [{"input": [{"args": [{"type": "tensor", "dtype": "float", "shape": [2]}]}]}]},
 "torch.mm": {"config": [{"input": [
   {"args": [{"type": "tensor", "dtype": "float", "shape": [2, 3]}, {"type": "tensor", "dtype": "float", "shape": [2, 3]}]},
   {"args": [{"type": "tensor", "dtype": "float", "shape": [1099511627776]}]},
   {"args": [{"type": "tensor", "dtype": "float", "shape": [-3]}]},
   {"args": [{"type": "tensor", "dtype": "float", "shape": [2, 3]}]},
   {"args": [{"type": "tensor", "dtype": "float", "shape": [2, 3]}, {"type": "tensor", "dtype": "float", "shape": [3, 2]}]}]}]},
 "torch.add": {"input_iterator": "RangeConfigIterator", "config": [{"input": [
   {"args": [{"type": "int", "value": [1, 5, 0], "__range__": ["value"]}]}]}, {"build": []}]},
 "torch.mul": {"input_iterator": "NoIterator", "config": [{"input": [{}]}]},
 "torch.sub": {"input_data_generator": "NoGenerator", "config": [{"input": [{}]}]},
 "aten::add": {"config": [{"build": [{"args": [{"type": "str", "value": "aten::add.Tensor(Tensor x) -> Tensor"}]}],
   "input": [{"args": []}]}]}}
JSON
run 3 -c wrong.json  # items that are wrong outweigh memory that there is not
check '
assert errors == {
    "torch.addd|0|0|0": "UNKNOWN_OPERATOR", "torch.mm|0|0|0": "OPERATOR_REFUSED", "torch.mm|0|0|1": "OUT_OF_MEMORY",
    "torch.mm|0|0|2": "INVALID_CONFIG", "torch.mm|0|0|3": "INVALID_ARGUMENTS", "torch.add|0|0|0_0": "INVALID_CONFIG",
    "torch.add|1|0|0": "INVALID_CONFIG", "torch.mul|0|0|0": "UNKNOWN_ITERATOR", "torch.sub|0|0|0": "UNKNOWN_GENERATOR",
    "aten::add|0|0|0": "INVALID_ARGUMENTS"}, errors
assert [line["id"] for line in items if line["metric"]] == ["0|0|4"], items
'

# What a file of configurations says is not obeyed by a terminal.
printf '{"a\\u001b[2J\\u009b\\u202eb": {"config": [{"input": [{"args": []}]}]}}' >strange.json
run 3 -c strange.json
check 'assert list(errors.values()) == ["UNKNOWN_OPERATOR"], errors'
python3 -c 'import sys; text = open("stderr.txt").read(); sys.exit(not (text.replace("\n", "").isprintable() and "x1b[2J" in text))' ||
  { cat -v stderr.txt; fail "a name printed raw"; }

# A file of an older PARAM: types in the build, and alpha by position, as TorchScript takes it.
cat >older.json <<'JSON'
{"aten::add": {"build_data_generator": "PyTorch::DefaultDataGenerator", "input_data_generator": "PyTorch::DefaultDataGenerator",
  "config": [{"build": [{"args": [{"type": "genericlist", "value": [{"type": "str", "value": "Tensor"},
      {"type": "str", "value": "Tensor"}, {"type": "str", "value": "int"}, {"type": "str", "value": "Tensor"}]}]}],
    "input": [{"args": [{"type": "tensor", "dtype": "float", "shape": [4, 4]},
      {"type": "tensor", "dtype": "float", "shape": [4, 4]}, {"type": "int", "value": 1}]}]}]}}
JSON
run 0 -c older.json -b
check 'assert not errors and len(items[0]["metric"]["backward"]["measure.time"]) == 1, items'

# The options of a batch are defaults, which the command line goes before.
run 0 -c "$configs/batch_example.json" -d cpu -i 2
check '
assert lines[0]["run_options"]["iteration"] == 2 and ids == ["torch.add|1|2|2_34"], lines
assert len(items[0]["metric"]["forward"]["measure.time"]) == 2, items
'
sed 's/"warmup": 1/"warmup": 4, "ncu_bin": "x"/; s/"cuda"/"cpu"/' "$configs/batch_example.json" >batch.json
run 0 -c batch.json
check 'assert len(items[0]["metric"]["forward"]["warmup.time"]) == 4, items'
grep -q 'note: .*"ncu_bin" is not used: ' stderr.txt || { cat stderr.txt; fail "the note"; }

# A file that an operator makes needs trust.
cat >touches.json <<'JSON'
{"aten::from_file": {"config": [{"input": [{"args": [{"type": "str", "value": "touched"},
  {"type": "bool", "value": true}, {"type": "int", "value": 1}]}]}]}}
JSON
run 3 -c touches.json
grep -q -- "--trust allows" stderr.txt || { cat stderr.txt; fail "the mend"; }
[ ! -e touched ] || fail "a file made without --trust"
run 0 -c touches.json --trust
[ -e touched ] || fail "no file with --trust"

# Malformed JSON is named by line and column.
printf '{"torch.add":\n  {]}' >malformed.json
run 3 -c malformed.json
grep -q "malformed.json:2:4: " stderr.txt || { cat stderr.txt; fail "line and column"; }
check 'assert lines[1]["error"]["class"] == "MALFORMED_FILE" and "finish_time" in lines[2], lines'
run 3 -c nowhere.json

# An operator that crashes (LibTorch's own kernel reads beyond its input) does not end the run.
cat >dies.json <<'JSON'
{"torch.relu": {"config": [{"input": [{"args": [{"type": "tensor", "dtype": "float", "shape": [2]}]}]}]},
 "aten::_convert_indices_from_csr_to_coo": {"config": [{"input": [{"args": [
   {"type": "tensor", "dtype": "long", "shape": [4]}, {"type": "tensor", "dtype": "long", "shape": [4]}]}]}]},
 "torch.neg": {"config": [{"input": [{"args": [{"type": "tensor", "dtype": "float", "shape": [2]}]}]}]}}
JSON
run 1 -c dies.json --record=died.jsonl
check '
assert ids == ["torch.relu|0|0|0", "aten::_convert_indices_from_csr_to_coo|0|0|0", "torch.neg|0|0|0"], ids
assert list(errors.values()) == ["CRASH"], errors
assert sum("run_options" in line for line in lines) == 1 and "finish_time" in lines[-1]
'
[ "$(grep -o '"outcome":"[A-Z_]*"' died.jsonl | grep -c CRASH)" = 1 ] || fail "the record of the crash"
[ "$(wc -l <died.jsonl)" = 3 ] || fail "the records around the crash"

# An operator that never returns; the one behind it takes milliseconds, on a busy machine too.
cat >long.json <<'JSON'
{"torch.mm": {"config": [{"input": [{"args": [{"type": "tensor", "dtype": "float", "shape": [4000, 4000]},
  {"type": "tensor", "dtype": "float", "shape": [4000, 4000]}]},
  {"args": [{"type": "tensor", "dtype": "float", "shape": [2, 2]}, {"type": "tensor", "dtype": "float", "shape": [2, 2]}]}]}]}}
JSON
run 2 -c long.json -i 1000 --timeout=4
check 'assert errors == {"torch.mm|0|0|0": "TIMEOUT"} and items[1]["metric"], lines'

# Appending keeps whole lines; a torn last line of the file stays by itself.
printf '{"torn' >appended.json
run 0 -c "$configs/simple_add.json" -a -o appended
run 0 -c "$configs/simple_add.json" -a -o appended
[ "$out" = appended.json ] || fail "the name is $out"
[ "$(wc -l <appended.json)" = 7 ] || fail "two runs behind a torn line"
[ "$(head -1 appended.json)" = '{"torn' ] || fail "the torn line"

# An output that cannot be written ends the run with exit code 2, before anything is measured.
run 2 -c "$configs/simple_add.json" -o nowhere/result
grep -q "make the folder first" stderr.txt || fail "the missing folder"
if [ -w /dev/full ]; then
  ln -s /dev/full full.json
  run 2 -c "$configs/simple_add.json" -a -o full
  grep -q "free some space" stderr.txt || { cat stderr.txt; fail "the full disk"; }
fi

# A trace for each input and pass, named in a line of its own.
run 0 -c "$configs/simple_add_range.json" -s "torch.add|0|0|0_2" -b -p -o traced --record=traced.jsonl
check '
traces = [line for line in lines if "trace_file" in line]
assert [line["id"] for line in traces] == ["0|0|0_0", "0|0|0_1"], lines
for line in traces:
    events = json.load(open(line["trace_file"]))["traceEvents"]
    names = [event["name"] for event in events if "name" in event]
    for step in ("forward", "backward"):
        assert names.count("torch.add|%s/%s" % (line["id"], step)) == 3, names
    assert "aten::add" in names
'
[ "$(grep -o '"trace":"' traced.jsonl | wc -l)" = 2 ] || fail "the records do not name the traces"

# Batches under a profiling tool; this fake one notes its command line and runs its child.
run 2 -c "$configs/simple_add_range.json" --nsys --nsys-bin=/nowhere/nsys
grep -q "there is no such program" stderr.txt || fail "the missing tool"
cat >nsys <<'EOF'
#!/bin/sh
echo "$@" >>arguments
for word do case $word in --output=*) echo report >"${word#--output=}.nsys-rep" ;; esac; done
while [ "${1#/}" = "$1" ]; do shift; done # words for the child, whose path begins with /
exec "$@"
EOF
chmod +x nsys
echo "--backtrace=none" >nsys_arguments
run 0 -c "$configs/simple_add_range.json" -s "torch.add|0|0|0_5" -o batched --run-batch-size=2 \
  --nsys --nsys-bin="$PWD/nsys" --nsys-args-file=nsys_arguments
check '
batches = [line for line in lines if "nsys_file" in line]
assert [(line["start_run_id"], line["end_run_id"]) for line in batches] == [
    ("torch.add|0|0|0_%d" % first, "torch.add|0|0|0_%d" % last) for first, last in ((0, 1), (2, 3), (4, 4))], batches
assert all(open(line["nsys_file"]).read() == "report\n" for line in batches)
assert len(items) == 5 and all(line["metric"] for line in items), items
'
[ "$(grep -c -- '--backtrace=none /' arguments)" = 3 ] || { cat arguments; fail "the arguments of the tool"; }

run 3 -c "$configs/simple_add.json" --exec-mode=fast
run 3
echo "PASSED"
