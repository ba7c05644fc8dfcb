"""In-tree stand-in for rules_cc (Bazel 4 and 7): the native provider under its rules_cc name."""

load(":native.bzl", "native_cc_info")

CcInfo = native_cc_info
