#!/bin/sh
# Runs compile_cases on requests that a build could make: each fail_*.json must fail and say what its `expect` says,
# each pass_*.json must pass. usage: compile_cases_test.sh COMPILE_CASES FOLDER
tool=$PWD/$1 folder=$2 failed=0 seen=0
for request in "$folder"/*.json; do
  name=$(basename "$request" .json) seen=$((seen + 1))
  out=$TEST_TMPDIR/$name; mkdir -p "$out"
  message=$("$tool" resolve "$request" "$out" "$out/cases.pb" "$out/cases.json" 2>&1); status=$?
  case $name in
    pass_*) [ $status = 0 ] || { echo "$name: failed: $message"; failed=1; } ;;
    fail_*)
      [ $status = 1 ] || { echo "$name: exit code $status, expected 1"; failed=1; }
      ls "$out"/*.pb >/dev/null 2>&1 && { echo "$name: left a .pb behind"; failed=1; }
      python3 - "$request" "$message" <<'PY' || failed=1
import json, sys
expect = json.load(open(sys.argv[1]))["expect"]
if expect not in sys.argv[2]:
    sys.exit("expected %r in %r" % (expect, sys.argv[2]))
PY
      ;;
  esac
done
[ $seen -ge 5 ] || { echo "only $seen requests in $folder"; failed=1; }
exit $failed
