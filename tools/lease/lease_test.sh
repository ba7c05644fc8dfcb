#!/usr/bin/env bash
# The program itself: what a shell and a person see. $1: lease.
set -uo pipefail
lease=$PWD/$1
cd "$TEST_TMPDIR" || exit
mkdir -p runtime && export XDG_RUNTIME_DIR=$PWD/runtime
unset TEST_TARGET
failures=0
expect() { # CODE PATTERN ARGUMENTS...
  local want=$1 pattern=$2; shift 2
  timeout 60 "$lease" "$@" >out 2>&1; local code=$?
  [ "$code" = "$want" ] && { [ -z "$pattern" ] || grep -qE -- "$pattern" out; } && return
  echo "FAIL: exit code $code, want $want, '$pattern': $*"; sed 's/^/    /' out; failures=$((failures + 1))
}
expect 7 '^said$' sh -c 'echo said; exit 7'
expect 143 '' sh -c 'kill -TERM $$'
expect 0 'tools/bazel run --run_under=//tools/lease' --help
expect 3 'which program' --shared
expect 3 'give one' --shared --exclusive true
expect 3 'unknown flag --frobnicate' --frobnicate true
expect 3 'patience' --patience=soon true
expect 2 'cannot start /no/such/program' /no/such/program

# Another program measures: its child has the lease too, until the last of them ends.
"$lease" sh -c 'echo >held; sleep 1000 & echo $! >sleeper; wait' &
for _ in $(seq 1200); do [ -s sleeper ] && break; sleep 0.05; done
expect 2 'was not free within 1s: held by process .*\(sh, since' --patience=1 true
expect 2 'waiting for cpu-' --patience=1 true --action=verify
kill "$!"; wait "$!" 2>/dev/null
expect 2 'was not free' --patience=1 true
kill "$(cat sleeper)"
expect 0 '' --patience=20 true
# One lease inside another.
expect 0 '^inner$' --patience=5 "$lease" --patience=5 echo inner
exit "$failures"
