#!/bin/sh
# Compares the table of models in README.md with the registry (test), or writes it there (update).
set -eu
made=$(mktemp); trap 'rm -f "$made" "$made.table"' EXIT
table() { # README.md with the table of today between its two marks
  benchmarks/list_cases --registry=benchmarks/registry.pb --format=models >"$made.table"
  awk -v table="$made.table" '
    /^<!-- models -->$/ { print; print ""; while ((getline line < table) > 0) print line; print ""; inside = 1; next }
    /^<!-- \/models -->$/ { inside = 0 }
    !inside { print }' README.md >"$made"
}
table
case $1 in
  test) diff -u README.md "$made" || { echo "README.md is behind the tables; mend it: tools/bazel run //benchmarks:readme_table_update" >&2; exit 1; } ;;
  update) cat "$made" >"$BUILD_WORKSPACE_DIRECTORY/README.md" ;;
esac
