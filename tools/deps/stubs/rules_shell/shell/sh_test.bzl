"""In-tree stand-in for rules_shell (Bazel 4 to 7): the native rule."""
sh_test = native.sh_test
