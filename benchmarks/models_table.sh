#!/bin/sh
# Compares the table of docs/models.md with the registry (test), or writes it there (update).
set -eu
made=$(mktemp); trap 'rm -f "$made" "$made.table"' EXIT
table() { # docs/models.md with the table of today between its two marks
  benchmarks/list_cases --registry=benchmarks/registry.pb --format=models >"$made.table"
  awk -v table="$made.table" '
    /^<!-- models -->$/ { print; print ""; while ((getline line < table) > 0) print line; print ""; inside = 1; next }
    /^<!-- \/models -->$/ { inside = 0 }
    !inside { print }' docs/models.md >"$made"
}
table
grep -q '^<!-- models -->$' "$made" || { echo "docs/models.md has lost the lines <!-- models --> and <!-- /models -->, between which the table stands" >&2; exit 1; }
case $1 in
  test) diff -u docs/models.md "$made" || { echo "docs/models.md is behind the case tables; mend it: tools/bazel run //benchmarks:models_table_update" >&2; exit 1; } ;;
  update) cat "$made" >"$BUILD_WORKSPACE_DIRECTORY/docs/models.md" ;;
esac
