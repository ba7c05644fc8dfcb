"""Module extensions for MODULE.bazel. A file of their own, because Bazel 4 knows none."""

load(":dependencies.bzl", _dependencies = "dependencies")
load(":torch_repositories.bzl", "torch_repositories")

def _dependencies_impl(_ctx):
    _dependencies()

def _torch_impl(_ctx):
    torch_repositories(rules_cc = True)

# All of this tree's, for its own MODULE.bazel.
dependencies = module_extension(implementation = _dependencies_impl)

# LibTorch, for that of another module.
torch = module_extension(implementation = _torch_impl)
