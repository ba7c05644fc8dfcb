#!/bin/sh
# Runs compile_cases on requests that a build could make: each fail_* must fail and say what its line
# `# expect: ` says, each pass_* must pass, with the same bytes each time. usage: compile_cases_test.sh COMPILE_CASES FOLDER
tool=$PWD/$1 folder=$2 failed=0 seen=0
for request in "$folder"/*.request.textproto; do
  name=$(basename "$request" .request.textproto) seen=$((seen + 1))
  out=$TEST_TMPDIR/$name; mkdir -p "$out"
  message=$("$tool" resolve "$request" "$out" "$out/cases.pb" "$out/cases.json" "$folder"/toy_*.textproto 2>&1); status=$?
  case $name in
    pass_*)
      [ $status = 0 ] || { echo "$name: failed: $message"; failed=1; }
      again=$TEST_TMPDIR/$name.again; mkdir -p "$again"
      "$tool" resolve "$request" "$again" "$again/cases.pb" "$again/cases.json" "$folder"/toy_*.textproto
      diff -r "$out" "$again" || { echo "$name: another run wrote other bytes"; failed=1; }
      ;;
    fail_*)
      [ $status = 1 ] || { echo "$name: exit code $status, expected 1"; failed=1; }
      ls "$out"/*.pb >/dev/null 2>&1 && { echo "$name: left a .pb behind"; failed=1; }
      expect=$(sed -n 's/^# expect: //p' "$request")
      case "$message" in
        *"${expect:?$request has no line # expect:}"*) ;;
        *) echo "$name: expected '$expect' in '$message'"; failed=1 ;;
      esac
      ;;
  esac
done
[ $seen -ge 5 ] || { echo "only $seen requests in $folder"; failed=1; }
exit $failed
