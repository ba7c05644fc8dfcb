#!/bin/sh
# Prints the packages below folder $1 whose BUILD.bazel calls benchmarks() or image_classifier_family(), one a line, sorted; with
# --locks behind it, those of them that have a lock.bzl. A folder whose name no label can hold is named and left out.
cd "$1" || exit 1
grep -rlE --include=BUILD.bazel --exclude-dir='bazel-*' --exclude-dir=.git --exclude-dir=testdata '^(benchmarks|image_classifier_family)\(' . |
  sed -e 's|^\./||' -e 's|/BUILD.bazel$||' | LC_ALL=C sort |
  while IFS= read -r package; do
    # No ranges: what they hold depends on the locale.
    case $package in
      *[!ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./@+-]*)
        [ "${2:-}" = --locks ] || echo "$package: left out of the families: give its folder a name of ASCII letters, digits and _./@+-" >&2 ;;
      *) [ "${2:-}" = --locks ] && [ ! -f "$package/lock.bzl" ] || echo "$package" ;;
    esac
  done
