#!/bin/sh
# Compares values, given as threes: a claim, the value, what it should be. starlark_test.bzl says what for.
failed=0
[ $# -ge 3 ] || { echo "nothing is compared" >&2; exit 1; }
while [ $# -gt 0 ]; do
  [ "$2" = "$3" ] || { printf 'not so: %s\n  got   %s\n  want  %s\n' "$1" "$2" "$3" >&2; failed=1; }
  shift 3
done
exit $failed
