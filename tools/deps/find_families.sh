#!/bin/sh
# Prints the packages below folder $1 whose BUILD.bazel calls benchmarks(), one a line, sorted.
cd "$1" || exit 1
grep -rlE --include=BUILD.bazel --exclude-dir='bazel-*' --exclude-dir=.git --exclude-dir=testdata '^benchmarks\(' . |
  sed -e 's|^\./||' -e 's|/BUILD.bazel$||' | LC_ALL=C sort
