#!/usr/bin/env bash
# A process that ends with 0 before its verdict does not pass a test. $1: an accuracy test of a case, $2: the case
# itself, $3: a library that ends the process early, $4: the test of many cases.
set -uo pipefail
test=$PWD/$1 case=$PWD/$2 library=$PWD/$3 all=$PWD/$4
failures=0
expect() { # CODE TEXT COMMAND...
  local want=$1 text=$2 code=0; shift 2
  "$@" >"$TEST_TMPDIR/out" 2>&1 || code=$?
  [ "$code" = "$want" ] && grep -qF -- "$text" "$TEST_TMPDIR/out" && return
  echo "FAIL: exit code $code, want $want and '$text': $*"; cat "$TEST_TMPDIR/out"; failures=$((failures + 1))
}
early() { local moment=$1; shift; env LD_PRELOAD="$library" MOMENT="$moment" "$@"; } # MOMENT COMMAND...

expect 0 'verdict   PASS' "$test"
expect 0 'verdict   PASS' early never "$test"
# exit(0) in code under test: the runner reports it. Where no code in the process can, the test reports it.
expect 1 'CRASH: exit() was called' early exit "$test"
expect 1 'CRASH: exit() was called' early exit "$case"
expect 1 'before it had come to: verify' early _exit "$test"
expect 1 'CRASH' early load "$test"
# A flag, perhaps in an rc file, that makes the test do something else.
for action in smoke measure; do expect 3 'it was given before, as verify' "$test" --budget=0.01 "--action=$action"; done
for flag in --help --benchmark_list_tests --batch=1 "--export-state=$TEST_TMPDIR/s" \
  --memory-format=channels_last; do
  expect 1 'before it had come to: verify' "$test" --budget=0.01 "$flag"
done
# With many cases in one process, each is named, and no other is lost with it.
lost='NOT RIGHT  verify //benchmarks/mlp:mlp_fp64_b1: CRASH: exit code'
expect 0 'cases have come to their verdict' early never "$all"
expect 1 "$lost 0" early _exit "$all"
expect 1 "$lost 1" early exit "$all"
expect 1 'tools/bazel test //benchmarks/mlp:mlp_fp32_b8_mutants_test' early _exit "$all"
expect 1 'ended before its first item (exit code 0)' early load "$all"
expect 3 'a case alone takes flags' "$all" --help
expect 3 'nothing would be left to do' "$test" --verify=off
expect 3 'matches no benchmark' "$test" --benchmark_filter=nothing
[ "$failures" = 0 ]
