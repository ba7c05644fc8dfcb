#!/usr/bin/env bash
# Commands as a user types them, good and bad, on cases that are already built.
#   commands.sh --list     names of the checks
#   commands.sh NAME       one of them
set -euo pipefail
case_of=//benchmarks/mlp:mlp_fp32_b1
run() { tools/bazel run --noshow_progress --ui_event_filters=-info,-stdout,-stderr "$case_of" -- --budget=0.05 "$@"; }
list() { tools/bazel run --noshow_progress --ui_event_filters=-info,-stdout,-stderr //benchmarks:list -- "$@"; }
exits() { # CODE TEXT COMMAND...: the command exits with CODE and says TEXT
  local code=$1 text=$2 status=0 out; shift 2
  out=$("$@" 2>&1) || status=$?
  [ "$status" = "$code" ] || { printf '%s\n' "$out"; echo "exit code $status, expected $code"; return 1; }
  grep -qF -- "$text" <<<"$out" || { printf '%s\n' "$out"; echo "expected in the above: $text"; return 1; }
}
strict_json() { python3 -c 'import json, sys
def refuse(word): raise ValueError("not JSON: " + word)
document = json.load(open(sys.argv[1]), parse_constant=refuse)
runs = document["benchmarks"]
assert runs and all(r["real_time"] > 0 and r["cpu_time"] >= 0 and r["iterations"] >= 1 for r in runs), runs' "$1"; }
scratch=$(mktemp -d); trap 'chmod -R u+w "$scratch" 2>/dev/null; rm -rf "$scratch"' EXIT

declare -A checks
checks['run: device, verdict with error and limits, table']='exits 0 "verdict   PASS     probabilities max" run; exits 0 "mlp_fp32_b1/wall" run; exits 0 "mlp_fp32_b1   eager, eval · cpu" run'
checks['run: --benchmark_format=json is strict JSON']='run --benchmark_format=json >"$scratch/out.json"; strict_json "$scratch/out.json"'
checks['run: --benchmark_out writes where the user stands']='(cd "$scratch" && "$OLDPWD"/bazel-bin/benchmarks/mlp/mlp_fp32_b1 --budget=0.05 --benchmark_out=here.json >/dev/null); strict_json "$scratch/here.json"'
checks['run: --benchmark_list_tests, --benchmark_filter']='[ "$(run --modes=wall --benchmark_list_tests 2>/dev/null)" = mlp_fp32_b1/wall ]; [ "$(run --modes=wall,throughput --benchmark_list_tests --benchmark_filter=through 2>/dev/null)" = mlp_fp32_b1/throughput ]'
checks['run: repetitions give true aggregates']='run --benchmark_repetitions=3 --benchmark_format=json >"$scratch/out.json"; strict_json "$scratch/out.json"; grep -q "\"aggregate_name\": \"median\"" "$scratch/out.json"'
checks['run: a record for each run, with every sample']='run --record="$scratch/r.jsonl" >/dev/null; run --record="$scratch/r.jsonl" >/dev/null; python3 -c "
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
assert len(records) == 2 and all(r[\"outcome\"] == \"PASS\" and len(r[\"measurements\"][0][\"samples_ns\"]) > 5 for r in records)" "$scratch/r.jsonl"'
checks['run: the case works executed directly, through a link, and from a copy']='bazel-bin/benchmarks/mlp/mlp_fp32_b1 --action=verify; ln -s "$PWD/bazel-bin/benchmarks/mlp/mlp_fp32_b1" "$scratch/link"; "$scratch/link" --action=verify'
checks['bad input: an unknown flag']='exits 3 "unknown flag --bugdet; there are" run --bugdet=3'
checks['bad input: an unknown flag of Google Benchmark']='exits 3 "unknown flag --benchmark_fliter" run --benchmark_fliter=x'
checks['bad input: a stray word']='exits 3 "is no flag" run resnet50'
checks['bad input: a device that is none']='exits 3 "--device=tpu: one of cpu, cuda" run --device=tpu'
checks['bad input: no time']='exits 3 "more than 0" run --budget=0'
checks['bad input: a malformed filter']='exits 3 "is no regular expression" run --benchmark_filter="("'
checks['bad input: a mode that this device cannot do']='exits 3 "use wall, throughput, cold or hot" run --modes=graph'
checks['bad input: another suite'"'"'s mode that is none']='exits 3 "discrete, continuous" run --exec-mode=sequential'
checks['bad input: a step that is none, one that the program has not, and one that the CPU does not have']='exits 3 "forward, backward" run --steps=sideways; exits 3 "training cases" run --steps=backward; exits 3 "on the CPU nothing is copied" run --steps=h2d'
checks['bad input: a share without a percent sign']='exits 3 "a share like 3%" run --inject=3'
checks['bad input: a run that is not done in time is TIMEOUT, with what was measured']='exits 2 "TIMEOUT: not done within 3s (--timeout), in mlp_fp32_b1/discrete" bazel-bin/benchmarks/mlp/mlp_fp32_b1 --modes=wall --budget=0.05 --exec-mode=discrete --iterations=1000000000 --timeout=3 --record="$scratch/r.jsonl"; grep -q "\"outcome\":\"TIMEOUT\"" "$scratch/r.jsonl"; grep -q samples_ns "$scratch/r.jsonl"'
checks['run: three modes with medians, intervals and every check']='run --modes=wall,cold,hot --budget=1 --record="$scratch/r.jsonl" >/dev/null; python3 -c "
import json, sys
m = {m[\"mode\"]: m for m in json.loads(open(sys.argv[1]).readline())[\"measurements\"]}
assert set(m) == {\"wall\", \"cold\", \"hot\"}, set(m)
assert all(x[\"ci_low_ns\"] <= x[\"median_ns\"] <= x[\"ci_high_ns\"] and len(x[\"checks\"]) >= 20 for x in m.values())
assert m[\"cold\"][\"median_ns\"] > m[\"hot\"][\"median_ns\"]" "$scratch/r.jsonl"'
train() { tools/bazel run --noshow_progress --ui_event_filters=-info,-stdout,-stderr //benchmarks/mlp:mlp_fp32_b8_train -- --budget=0.05 "$@"; }
checks['run: a training case is verified, and times forward, backward, optimizer and the whole step']='exits 0 "step3.parameters" train --modes=wall --record="$scratch/r.jsonl"; python3 -c "
import json, sys
record = json.loads(open(sys.argv[1]).readline())
assert record[\"outcome\"] == \"PASS\", record[\"outcome\"]
assert {m[\"step\"] for m in record[\"measurements\"]} == {\"forward\", \"backward\", \"optimizer\", \"train_step\"}" "$scratch/r.jsonl"'
checks['bad input: another batch for a training case']='exits 3 "a training step depends on every row" train --batch=3; exits 0 "NOT_VERIFIED" train --batch=3 --verify=off --modes=wall --steps=forward'
checks['run: another execution, and another batch, on the same reference']='exits 0 "eager, channels_last, eval" run --memory-format=channels_last; exits 0 "eager, autocast bf16, eval" run --autocast=bf16 --record="$scratch/r.jsonl"; exits 0 "eager, eval, batch 17" run --batch=17 --record="$scratch/r.jsonl"; grep -q "\"autocast\":\"BF16\"" "$scratch/r.jsonl"; grep -q "\"batch\":\"17\"" "$scratch/r.jsonl"'
checks['bad input: executions and batches that cannot be']='exits 3 "--batch=0: rows, 1 to" run --batch=0; exits 3 "one of contiguous, channels_last" run --memory-format=nhwc; exits 3 "one of bf16, fp16, off" run --autocast=fp8; exits 3 "autocast takes fp32 cases" tools/bazel run --noshow_progress --ui_event_filters=-info,-stdout,-stderr //benchmarks/mlp:mlp_bf16_b1 -- --autocast=bf16'
checks['bad input: a batch too large for memory is OUT_OF_MEMORY']='exits 2 "give a smaller --batch" tools/bazel run --noshow_progress --ui_event_filters=-info,-stdout,-stderr //benchmarks/resnet:resnet18_fp32_b1 -- --batch=1000000'
checks['run: an operator by its schema']='exits 0 "verdict   PASS" tools/bazel run --noshow_progress --ui_event_filters=-info,-stdout,-stderr //benchmarks/operators:addmm_fp32_b64 -- --budget=0.05'
compare() { tools/bazel run --noshow_progress --ui_event_filters=-info,-stdout,-stderr //tools:compare -- "$@"; }
checks['compare: a case with itself, by fresh processes in turns, says how sure it is']='compare --baseline=$case_of --aa --pairs=4 --extra_rounds=0 --budget=0.05 --flagged=keep --format=json --seed=1 >"$scratch/c.json"; python3 -c "
import json, sys
series, = json.load(open(sys.argv[1]))[\"series\"]
assert len(series[\"pairs\"]) == 4 and series[\"verdict\"] in (\"SAME\", \"INCONCLUSIVE\"), series
assert series[\"estimate\"][\"interval\"][0] < 1 < series[\"estimate\"][\"interval\"][1], series" "$scratch/c.json"'
checks['compare, bad input: a baseline that is not there']='exits 3 "there is no '"'"'/no/such/runner'"'"'; a side is" compare --baseline=/no/such/runner --candidate=$case_of'
checks['compare, bad input: a label that is none']='exits 2 "did you mean" compare --baseline=//benchmarks/mlp:mlp_fp32_b65 --candidate=$case_of'
checks['compare, bad input: different dtypes']='exits 3 "dtype: FP32 against BF16 (--across" compare --baseline=$case_of --candidate=//benchmarks/mlp:mlp_bf16_b1'
checks['compare, bad input: a flag that the case does not have']='exits 3 "unknown flag --budgit" compare --baseline="$case_of --budgit=3" --aa'
checks['compare, bad input: no such revision']='exits 3 "is no commit" compare --baseline=git:nonsense --candidate=. --cases=.'
checks['compare: a device that is not there fails the gate by exit code 2']='exits 2 "NO_DEVICE" compare --baseline="$case_of --device=cuda" --aa --gate'
checks['check_machine: says good, bad or unknown, and gates']='exits 0 governor tools/bazel run --noshow_progress //tools:check_machine; exits 3 unknown tools/bazel run --noshow_progress //tools:check_machine -- --nonsense'
checks['bad input: a mode that is none']='exits 3 "wall" run --modes=warp'
checks['bad input: cuda in a CPU build is NO_DEVICE']='exits 2 "NO_DEVICE" run --device=cuda'
checks['bad input: a record in no folder']='exits 2 "$scratch/no/r.jsonl" run --record="$scratch/no/r.jsonl"'
checks['bad input: a full disk leaves the record file as it was']='exits 2 "/dev/full" run --record=/dev/full'
# In an output base of its own: another LIBTORCH_PATH would throw away the LibTorch that is unpacked.
checks['bad input: LIBTORCH_PATH to nonsense']='exits 1 "LIBTORCH_PATH=/nonsense holds no torch/lib/libtorch_cpu.so" env LIBTORCH_PATH=/nonsense tools/bazel --output_base="$scratch/base" build --nobuild @libtorch//:torch; tools/bazel --output_base="$scratch/base" shutdown'
checks['bad input: --config=cuda without a toolkit']='exits 1 "no CUDA toolkit: /nonsense/bin/nvcc is not there" env CUDA_PATH=/nonsense tools/bazel build --config=cuda //benchmarks/harness/sampling/cuda:libassay_cuda.so'
checks['Ctrl-C keeps what was measured']='tools/bazel build --noshow_progress //benchmarks/resnet:resnet50_fp32_b8 2>/dev/null; bazel-bin/benchmarks/resnet/resnet50_fp32_b8 --budget=60 --modes=wall --record="$scratch/r.jsonl" >/dev/null 2>&1 & pid=$!; sleep 7; kill -INT $pid; status=0; wait $pid || status=$?; [ $status = 2 ]; grep -q "\"outcome\":\"INTERRUPTED\"" "$scratch/r.jsonl"; grep -q samples_ns "$scratch/r.jsonl"'
checks['artifact: one flipped byte is FAIL_ARTIFACT with both digests']='blob=$(readlink -f bazel-bin/benchmarks/mlp/mlp_fp32_b1.runfiles/assay/artifacts/blobs/*.safetensors); cp "$blob" "$scratch/blob"; chmod u+w "$scratch/blob"; printf "\377" | dd of="$scratch/blob" bs=1 seek=300 conv=notrunc status=none; exits 2 FAIL_ARTIFACT bazel-bin/benchmarks/mlp/mlp_fp32_b1 --action=verify --reference="$scratch/blob"; exits 2 "$(sha256sum "$scratch/blob" | cut -c1-64)" bazel-bin/benchmarks/mlp/mlp_fp32_b1 --action=verify --reference="$scratch/blob"; exits 2 "$(sha256sum "$blob" | cut -c1-64)" bazel-bin/benchmarks/mlp/mlp_fp32_b1 --action=verify --reference="$scratch/blob"'
checks['artifact: a truncated blob']='blob=$(readlink -f bazel-bin/benchmarks/mlp/mlp_fp32_b1.runfiles/assay/artifacts/blobs/*.safetensors); head -c 100 "$blob" >"$scratch/blob"; exits 2 FAIL_ARTIFACT bazel-bin/benchmarks/mlp/mlp_fp32_b1 --action=verify --reference="$scratch/blob"'
checks['artifact: a missing blob']='exits 2 "$scratch/none" bazel-bin/benchmarks/mlp/mlp_fp32_b1 --action=verify --reference="$scratch/none"'
checks['wrapper: ASSAY_NO_INSTALL says what is missing and why, and installs nothing']='mkdir -p "$scratch/tools/deps"; sed "s#/usr/include/openssl/evp.h|#/nonexistent/evp.h|#" tools/bazel >"$scratch/tools/bazel"; exits 2 "libssl-dev: digests of artifacts" env ASSAY_NO_INSTALL=1 bash "$scratch/tools/bazel" version; exits 2 "apt-get install libssl-dev" env ASSAY_NO_INSTALL=1 bash "$scratch/tools/bazel" version'
checks['list, bad input: an unknown flag']='exits 3 "unknown flag --fliter; there are --filter --format" list --fliter=x'
checks['list: every case, with its tags']='tools/bazel run --noshow_progress //benchmarks:list -- --filter=resnet18_bf16 2>/dev/null >"$scratch/list"; grep -q "resnet18_bf16_b8 .*bf16.* 8 .*dtype=bf16" "$scratch/list"'
checks['query: tags find the bf16 cases']='[ "$(tools/bazel query --noshow_progress "attr(tags, \"dtype=bf16\", kind(case_binary, //benchmarks/...))" 2>/dev/null | wc -l)" -ge 100 ]'

if [ "${1:-}" = --list ]; then printf '%s\n' "${!checks[@]}" | LC_ALL=C sort; exit 0; fi
[ -n "${checks[${1:-}]:-}" ] || { echo "no check '${1:-}'; --list names them" >&2; exit 3; }
tools/bazel build --noshow_progress $case_of 2>/dev/null
eval "${checks[$1]}"
