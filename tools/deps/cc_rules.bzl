"""How the BUILD files of repositories get cc_library: from @rules_cc, or, in a workspace that has none, from Bazel itself."""

CC_LIBRARY = 'load("@rules_cc//cc:defs.bzl", "cc_library")\n'

RULES_CC = attr.bool(default = True, doc = "whether there is a repository @rules_cc")
