#!/usr/bin/env bash
# Eleven operators that a careless comparison would pass: each gives a finding that names its fault, and its honest twin
# is verified.
set -u
sweep=$1 library=$2
scratch=$(mktemp -d "${TEST_TMPDIR:-/tmp}/mistaken.XXXXXX")
failures=0
fail() { echo "FAIL: $*"; failures=$((failures + 1)); }

"$sweep" --load-library="$library" --verbose --out="$scratch/all.jsonl" >"$scratch/out" 2>&1
code=$?
[ "$code" = 1 ] || fail "exit code $code, not 1"
grep -qE '^sweep +11 of 22 functional operators verified' "$scratch/out" || fail "not 11 of 22 are verified"

# finds OPERATOR FINDING REASON
finds() {
  line=$(grep -F "\"operator\":\"wrong::$1\"" "$scratch/all.jsonl")
  grep -qF "\"finding\":\"$2\"" <<<"$line" || fail "wrong::$1 is not '$2' but: $line"
  grep -qE "\"reason\":\"[^\"]*$3" <<<"$line" || fail "wrong::$1 has another reason than '$3': $line"
  grep -F "\"operator\":\"honest::$1\"" "$scratch/all.jsonl" | grep -qF '"finding":"verified"' ||
    fail "honest::$1 is not verified: $(grep -F "honest::$1" "$scratch/all.jsonl")"
}
finds relu     "writes to an argument"           "it writes to input 'x'"
finds product  "writes to an argument"           "it writes to input 'y'"
finds copy     "ran; a result is empty or NaN"   "result 0 holds NaN in 16 of 16 elements"
finds selected "ran; a result is empty or NaN"   "result 0 is empty"
finds shape    "two equal calls differ"          "result 0\[0\] differs"
finds scaled   "two equal calls differ"          "result 1\[0\] differs"
finds same     "returns memory of an argument"   "result 0 lies in the memory of argument 'x'"
finds unwritten "two equal calls differ"         "result 0 .[0-9, ]+. has other bits in the second of two equal calls, before which"
finds reads    "touches memory outside"          "it reads byte 1 behind the end of input 'x'"
finds writes   "touches memory outside"          "it writes to byte 1 behind the end of memory of 64 bytes"
finds twice    "differs from float64"            "result 0 differs by"
[ "$failures" = 0 ] || sed 's/^/    /' "$scratch/out"
exit $((failures > 0))
