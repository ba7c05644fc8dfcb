#!/usr/bin/env bash
# kernel() starts the program with the library and its flags, and the user's behind them; its test verifies.
set -u
failures=0
expect() { # EXPECTED PROGRAM [WORD...]
  local expected=$1 shown
  shift
  shown=$("$@") || { echo "FAIL: $* ended with $?"; failures=$((failures + 1)); }
  [ "$shown" = "$expected" ] || { echo "FAIL: $*: '$shown', not '$expected'"; failures=$((failures + 1)); }
}
fixed="librow_softmax.so
--like=aten::softmax.int
--op=mine::softmax
--at=r=16,c=96
--at=r=4096,c=768
--csv=a kernel's.csv"
expect "$fixed
--json=a file's name" "$1" "--json=a file's name"
expect "$fixed
--action=verify" "$2"
exit $((failures > 0))
