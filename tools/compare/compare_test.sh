#!/usr/bin/env bash
# Tests the program: its exit codes and output. $1: compare, $2: hostile_runner.
set -uo pipefail
compare=$PWD/$1 runner=$PWD/$2
cd "$TEST_TMPDIR" || exit
failures=0
fail() { echo "FAIL: $*"; sed 's/^/    /' out err; failures=$((failures + 1)); }
run() { timeout 120 "$compare" "$@" >out 2>err; code=$?; } # ARGUMENTS...
expect() { # CODE PATTERN ARGUMENTS...: exit code, and a pattern of standard output or error
  local want=$1 pattern=$2; shift 2
  run "$@"
  [ "$code" = "$want" ] || fail "exit code $code, want $want: $*"
  grep -qE -- "$pattern" out err || fail "no '$pattern': $*"
}
fast=(--pairs=10 --extra-rounds=0 --timeout=20)

expect 0 'SAME' --baseline="$runner" --aa "${fast[@]}" --gate
expect 0 'noise +hostile_runner/wall: 10 pairs find a true difference of .* sd of a pair' --baseline="$runner" --aa "${fast[@]}"
expect 1 'SLOWER' --baseline="$runner" --candidate="$runner --median=1030" "${fast[@]}" --gate
expect 0 'SLOWER' --baseline="$runner" --candidate="$runner --median=1030" "${fast[@]}"
expect 0 'FASTER' --baseline="$runner --median=1030" --candidate="$runner" "${fast[@]}" --gate
for timed in NOT_RUN absent; do
  expect 2 "FASTER, and the timed call was not verified: candidate in" --baseline="$runner --median=1030" --candidate="$runner --timed=$timed" "${fast[@]}" --gate
  expect 0 'FASTER' --baseline="$runner --median=1030 --timed=$timed" --candidate="$runner" "${fast[@]}"
done
wobbly="$runner --behave=wobble --count-file=$PWD/wobbles"
expect 4 'INCONCLUSIVE +10$' --baseline="$wobbly" --aa "${fast[@]}" --seed=1 --gate

# Several candidates end with one table; what failed in one of them is named, and no mean holds it.
two=(--baseline="$runner --median=1000" --candidate="$runner --median=500")
expect 0 'geometric mean of 1 +(1\.99|2\.0)[0-9]* +1\.0[0-9]+$' "${two[@]}" --candidate="$runner --median=990" "${fast[@]}"
expect 1 'hostile_runner +(1\.99|2\.0).* +FAIL_ACCURACY$' "${two[@]}" --candidate="$runner --behave=accuracy" "${fast[@]}"
expect 1 'hostile_runner --behave=accuracy: not compared: FAIL_ACCURACY' "${two[@]}" --candidate="$runner --behave=accuracy" "${fast[@]}"
expect 3 'the same candidate twice' --baseline="$runner" --candidate="$runner" --candidate="$runner"

# A side that misbehaves.
expect 1 'CRASH \(candidate\)' --baseline="$runner" --candidate="$runner --behave=exit0" "${fast[@]}"
expect 2 'TIMEOUT \(baseline\)' --baseline="$runner --behave=hang --pid-file=pid" --candidate="$runner" --pairs=2 --timeout=0.5
expect 1 'FAIL_ACCURACY' --baseline="$runner" --candidate="$runner --behave=accuracy" "${fast[@]}"
expect 2 'NO_DEVICE' --baseline="$runner" --candidate="$runner --behave=no_device" "${fast[@]}"
expect 3 'command line' --baseline="$runner" --candidate="$runner --behave=usage" "${fast[@]}"
expect 2 'flagged in' --baseline="$runner" --candidate="$runner --check=steady" "${fast[@]}"
expect 2 'flagged in 8 of 8 pairs. --metric=cpu' --baseline="$runner" --candidate="$runner --check=cpu_contention" "${fast[@]}" --metric=wall
# Without --metric the CPU times are compared then.
busy=(--baseline="$runner --check=cpu_contention" --candidate="$runner --median=500 --check=cpu_contention" "${fast[@]}")
expect 0 'hostile_runner/wall +(2|1\.9).* FASTER +10$' "${busy[@]}"
expect 0 '^metric +cpu: CPU time of a call' "${busy[@]}"
expect 0 'wall times were not compared: other programs took the CPUs in all pairs' "${busy[@]}"
# Not in parts, whose processes are over: they have one metric.
run "${busy[@]}" --seed=5 --metric=wall --json=node.json
printf '{"label":"a","node":"n","attempt":1,"job":"1","clock_ahead_s":0,"comparison":%s}\n' "$(tr -d '\n' <node.json)" >parts.jsonl
expect 2 'a/wall: flagged in 8 of 8 pairs' "${busy[@]}" --seed=5 --parts=parts.jsonl
expect 0 'kept' --baseline="$runner" --candidate="$runner --check=steady" "${fast[@]}" --flagged=keep

# Sides that must not be compared, or do not exist.
expect 3 'FP32 against BF16' --baseline="$runner" --candidate="$runner --dtype=BF16" "${fast[@]}"
expect 3 'compare: no picture a.svg, since nothing was compared' --baseline="$runner" --candidate="$runner --dtype=BF16" "${fast[@]}" --plot=a.svg
expect 2 'compare: no picture a.png, since no ratio was found' --baseline="$runner" --candidate="$runner --check=steady" "${fast[@]}" --plot=a.png
expect 0 'across' --baseline="$runner" --candidate="$runner --dtype=BF16" "${fast[@]}" --across
expect 3 "there is no '/no/such/runner'" --baseline=/no/such/runner --candidate="$runner"
expect 3 'needs this tree' --baseline=//a:b --candidate="$runner"
expect 3 'unknown flag --frobnicate' --frobnicate
expect 0 'tools/bazel run //tools:compare' --help

# Files of records.
for i in 1 2 3 4 5 6; do
  "$runner" --started="2026-01-01T00:0$i" --record=old.jsonl
  "$runner" --started="2026-01-01T01:0$i" --median=1030 --record=new.jsonl
done
expect 1 'SLOWER' --baseline=old.jsonl --candidate=new.jsonl --gate
expect 0 'files cannot tell the order' --baseline=old.jsonl --candidate=new.jsonl
head -n 1 old.jsonl >one.jsonl
expect 4 'no process-to-process variance' --baseline=one.jsonl --candidate=new.jsonl --gate
expect 3 'compares with another one only' --baseline=old.jsonl --candidate="$runner"
expect 3 'one other file at a time' --baseline=old.jsonl --candidate=new.jsonl --candidate=old.jsonl
expect 3 'these are over' --baseline=old.jsonl --candidate=new.jsonl --inject=3%
: >empty.jsonl
expect 3 'no case of the baseline' --baseline=empty.jsonl --candidate=new.jsonl

# A gate fails if the candidate lacks something that the baseline has.
gate() { expect "$1" "$2" --baseline="$3" --candidate="$4" --gate "${@:5}"; }
sed 's/"hostile"/"gone"/' old.jsonl | cat old.jsonl - >two.jsonl
gate 2 'lost +gone: the candidate has no run' two.jsonl old.jsonl
gate 0 'only in the candidate: gone' old.jsonl two.jsonl
gate 2 'lost +hostile: the candidate has no run' old.jsonl empty.jsonl
{ cat old.jsonl; printf '{"schema_version": 2, "outc'; } >torn.jsonl
gate 2 'lost +candidate, line 7' old.jsonl torn.jsonl
gate 2 'lost +baseline, line 7' torn.jsonl old.jsonl
sed 's/"outcome":"PASS"/"outcome":"SKIPPED_DECLARED"/' old.jsonl >skipped.jsonl
gate 2 'lost +hostile: skipped in 6 of 6' old.jsonl skipped.jsonl
sed 's/"outcome":"PASS"/"outcome":"NOT_VERIFIED"/' old.jsonl >unverified.jsonl
gate 2 'lost +hostile: not verified' old.jsonl unverified.jsonl
gate 2 'lost +hostile: not verified' unverified.jsonl old.jsonl
sed 's/"mode":"wall"/"mode":"cold"/' old.jsonl | cat old.jsonl - >modes.jsonl
gate 2 'lost +hostile: mode cold' modes.jsonl old.jsonl --across
for i in 1 2 3 4 5 6; do cat one.jsonl; done >copies.jsonl
gate 4 '5 lines repeat a run' old.jsonl copies.jsonl

# JSON and CSV list each process, and equal seeds give the same order.
run --baseline="$runner" --aa "${fast[@]}" --seed=7 --format=json --csv=a.csv
python3 - <<'P' || fail "the JSON"
import csv, json
report = json.loads(open("out").read(), parse_constant=lambda name: 1 / 0)
rows = list(csv.DictReader(open("a.csv")))
pairs = report["series"][0]["pairs"]
assert report["command"].startswith("tools/bazel run //tools:compare -- --baseline=/") and report["command"].endswith(" --format=json --csv=a.csv"), report["command"]
assert report["seed"] == 7 and len(pairs) == len(rows) == 10, (len(pairs), len(rows))
assert [float(r["baseline_ns"]) for r in rows] == [p["baseline_ns"] for p in pairs]
firsts = [p["baseline_first"] for p in pairs]
assert all(a != b for a, b in zip(firsts[::2], firsts[1::2])), firsts
P
run --baseline="$runner" --aa "${fast[@]}" --json=/no/such/folder/x.json
[ "$code" = 2 ] && grep -q 'cannot write' err || fail "an unwritable file ($code)"

# Ctrl-C: reports what there is, quickly, and leaves no process behind.
"$compare" --baseline="$runner --behave=slow --count-file=$PWD/count" --aa --pairs=100 >out 2>err & pid=$!
: >count
until [ "$(wc -l <count)" -ge 10 ]; do sleep 0.1; done
kill -INT $pid
wait $pid
code=$?
[ "$code" = 2 ] || fail "interrupted: exit code $code"
grep -q 'INTERRUPTED' out || fail "no INTERRUPTED"
grep -qE 'INCONCLUSIVE +([3-9]|[1-9][0-9])$' out || fail "no figures after an interruption"

[ "$failures" = 0 ] && echo "all as expected"
exit "$((failures > 0))"
