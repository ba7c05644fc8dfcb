#!/bin/sh
# Compares the tables of docs/data/models.md and docs/data/flags.md and the numbers of README.md with the registry and the table of flags
# (test), or writes them there (update).
set -eu
made=$(mktemp -d); trap 'rm -rf "$made"' EXIT
for pair in models:docs/data/models.md unreferenced:docs/data/models.md counts:README.md flags:docs/data/flags.md; do # the block between <!-- NAME --> and <!-- /NAME --> of FILE
  name=${pair%%:*} file=${pair#*:}
  benchmarks/list_cases --registry=benchmarks/registry.pb --format="$name" >"$made/block"
  awk -v block="$made/block" -v begin="<!-- $name -->" -v end="<!-- /$name -->" '
    $0 == begin { print; print ""; while ((getline line < block) > 0) print line; print ""; inside = 1; next }
    $0 == end { inside = 0; ends++ }
    !inside { print }
    END { exit ends != 1 }' "$file" >"$made/file" || { echo "$file has lost the lines <!-- $name --> and <!-- /$name -->, between which its numbers stand" >&2; exit 1; }
  case $1 in
    test) diff -u "$file" "$made/file" || { echo "$file is behind the tables of cases and flags; fix it: tools/bazel run //benchmarks:models_table_update" >&2; exit 1; } ;;
    update) cat "$made/file" >"$BUILD_WORKSPACE_DIRECTORY/$file" ;;
  esac
done
