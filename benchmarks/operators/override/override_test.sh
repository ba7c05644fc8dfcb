#!/usr/bin/env bash
# A kernel over ATen's that is wrong in float32 and float64 alike fails, preloaded, linked and loaded; one that is right
# passes.
set -u
case=$1 model=$2 linked=$3 sweep=$4 wrong=$PWD/$5 right=$PWD/$6
scratch=$(mktemp -d "${TEST_TMPDIR:-/tmp}/override.XXXXXX")
failures=0
fail() { echo "FAIL: $*"; sed 's/^/    /' "$scratch/out"; failures=$((failures + 1)); }
start() { env "$@" >"$scratch/out" 2>&1; code=$?; } # its exit code is $code
says() { grep -qE -- "$1" "$scratch/out" || fail "it does not say: $1"; }

# preloaded LIBRARY CODE VERDICT
preloaded() {
  start LD_PRELOAD="$1" "$case" --action=verify --record="$scratch/$3.jsonl"
  [ "$code" = "$2" ] || fail "exit code $code, not $2, with $1"
  says "^verdict +$3"
  says 'float64 on the CPU, in this process, torch [^ ]+, by LibTorch.s own kernels'
  says 'NOTED +kernels_over_aten: .*aten::_softmax \(CPU, (wrong|right)_softmax.cc:[0-9]+\)'
  grep -q '"kernels_over_aten":"aten::_softmax (CPU, [a-z]*_softmax.cc)"' "$scratch/$3.jsonl" ||
    fail "the record does not name the kernels"
}
preloaded "$wrong" 1 FAIL_ACCURACY
preloaded "$right" 0 PASS

start "$case" --action=verify --record="$scratch/own.jsonl"
[ "$code" = 0 ] || fail "exit code $code without another kernel"
grep -q kernels_over_aten "$scratch/own.jsonl" "$scratch/out" && fail "it names kernels where there are none"

# A model's reference is Python's.
start LD_PRELOAD="$wrong" "$model" --action=verify
[ "$code" = 1 ] || fail "exit code $code of a model with the wrong kernel"
says '^verdict +FAIL_ACCURACY'
start LD_PRELOAD="$right" "$model" --action=verify
[ "$code" = 0 ] || fail "exit code $code of a model with the right kernel"
says 'NOTED +kernels_over_aten'

start "$linked" --case="$case.pb" --default-device=cpu --action=verify
[ "$code" = 1 ] || fail "exit code $code of the linked program"
says '^verdict +FAIL_ACCURACY'

start "$sweep" --load-library="$wrong"
[ "$code" = 1 ] || fail "exit code $code of a sweep of the wrong kernel"
says '^kernels +not LibTorch.s own: aten::_softmax \(CPU, wrong_softmax.cc:[0-9]+\)'
says 'aten::_softmax: result 0 differs by'
start "$sweep" --load-library="$right"
[ "$code" = 0 ] || fail "exit code $code of a sweep of the right kernel"
says '^sweep +1 of 1 functional operators verified'
start LD_PRELOAD="$wrong" "$sweep" --filter='^aten::softmax.int$'
[ "$code" = 1 ] || fail "exit code $code of a sweep with the wrong kernel preloaded"
exit $((failures > 0))
