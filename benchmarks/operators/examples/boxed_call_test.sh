#!/usr/bin/env bash
# The example runs and prints its three lines; the test does not judge times.
set -eu
out=$("$1")
echo "$out"
for line in '^direct +[0-9.]+ ns +[0-9]+ samples$' '^by name +[0-9.]+ ns +[0-9]+ samples$' '^over +-?[0-9.]+ ns$'; do
  grep -qE -- "$line" <<<"$out" || { echo "FAIL: no line $line"; exit 1; }
done
