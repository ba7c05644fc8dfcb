"""In-tree stand-in for rules_cc (Bazel 4 and 7): the native module under its rules_cc name."""

load(":native.bzl", "native_cc_common")

cc_common = native_cc_common
