"""dependencies.bzl for MODULE.bazel. A file of its own, because Bazel 4 knows no module extensions."""

load(":dependencies.bzl", _dependencies = "dependencies")

def _dependencies_impl(_ctx):
    _dependencies()

dependencies = module_extension(implementation = _dependencies_impl)
