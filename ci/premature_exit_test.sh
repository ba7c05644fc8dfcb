#!/usr/bin/env bash
# A process that ends with 0 before its verdict is no green test. $1: an accuracy test of a case, $2: the case itself,
# $3: a library that ends the process early.
set -uo pipefail
test=$PWD/$1 case=$PWD/$2 library=$PWD/$3
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
# exit(0) in code under test: the runner says so itself, and where nothing in it can, its test does.
expect 1 'CRASH: exit() was called' early exit "$test"
expect 1 'CRASH: exit() was called' early exit "$case"
expect 1 'before it had come to: verify' early _exit "$test"
expect 1 'CRASH' early load "$test"
# A flag, in an rc file perhaps, that makes another thing of the test.
for flag in --help --action=smoke --action=measure --benchmark_list_tests --batch=1 "--export_state=$TEST_TMPDIR/s" \
  --memory-format=channels_last; do
  expect 1 'before it had come to: verify' "$test" --budget=0.01 "$flag"
done
expect 3 'nothing would be left to do' "$test" --verify=off
expect 3 'matches no benchmark' "$test" --benchmark_filter=nothing
[ "$failures" = 0 ]
