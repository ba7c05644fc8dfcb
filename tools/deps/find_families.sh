#!/bin/sh
# Prints the packages below folder $1 whose BUILD.bazel calls benchmarks() or image_classifier_family(), one a line, sorted; with --locks behind it,
# those of them that have a lock.bzl.
cd "$1" || exit 1
grep -rlE --include=BUILD.bazel --exclude-dir='bazel-*' --exclude-dir=.git --exclude-dir=testdata '^(benchmarks|image_classifier_family)\(' . |
  sed -e 's|^\./||' -e 's|/BUILD.bazel$||' | LC_ALL=C sort |
  if [ "${2:-}" = --locks ]; then while IFS= read -r package; do [ ! -f "$package/lock.bzl" ] || echo "$package"; done; else cat; fi
