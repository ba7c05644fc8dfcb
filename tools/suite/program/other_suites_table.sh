#!/bin/sh
# Compares the tables of docs/data/other_suites.md with what run_suite says of other suites' models (test), or writes them there (update).
set -eu
made=$(mktemp -d); trap 'rm -rf "$made"' EXIT
file=docs/data/other_suites.md
cp "$file" "$made/file"
for suite in torchbench huggingface timm; do # the block between <!-- SUITE --> and <!-- /SUITE -->
  {
    tools/suite/program/run_suite --suite="$suite" --dry-run 2>/dev/null | sed -n "s/^note  $suite: \(.*\); --suite=.*/\1./p"
    printf '\n| model | here |\n|---|---|\n'
    tools/suite/program/run_suite --suite="$suite" --list | sed 's/^\([^ ]*\): \(.*\)$/| `\1` | \2 |/'
  } >"$made/block"
  awk -v block="$made/block" -v begin="<!-- $suite -->" -v end="<!-- /$suite -->" '
    $0 == begin { print; print ""; while ((getline line < block) > 0) print line; print ""; inside = 1; next }
    $0 == end { inside = 0; ends++ }
    !inside { print }
    END { exit ends != 1 }' "$made/file" >"$made/next" || { echo "$file has lost the lines <!-- $suite --> and <!-- /$suite -->" >&2; exit 1; }
  mv "$made/next" "$made/file"
done
case $1 in
  test) diff -u "$file" "$made/file" || { echo "$file is behind tools/suite/plan/other_suites.textproto; fix it: tools/bazel run //tools:other_suites_table_update" >&2; exit 1; } ;;
  update) cat "$made/file" >"$BUILD_WORKSPACE_DIRECTORY/$file" ;;
esac
