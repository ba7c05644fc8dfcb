"""In-tree stand-in for rules_shell (Bazel 4 to 7): the native rule."""
sh_binary = native.sh_binary
