"""Compiler flags of this tree's own C++ (other people's code is compiled with warnings off, tools/common.bazelrc)."""

COPTS = ["-Wall", "-Wextra"]
