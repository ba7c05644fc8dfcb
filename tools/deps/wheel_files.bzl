"""wheel_files(): a repository with pinned wheels as they are, for a machine that has no registry of packages.

`@NAME//:wheels` is the files. Fetched only when a target that needs them is built.

Example:

    load("//tools/deps:nvbench_wheels.bzl", "NVBENCH_PYTHON", "NVBENCH_WHEELS")
    load("//tools/deps:wheel_files.bzl", "wheel_files")
    wheel_files(name = "cuda_bench", python = NVBENCH_PYTHON, wheels = NVBENCH_WHEELS)     # dependencies.bzl

    tools/bazel build @cuda_bench//:wheels

Not for packages that run here: python_site.bzl.
"""

load(":wheels.bzl", "download_wheels")

_BUILD = """
filegroup(
    name = "wheels",
    srcs = glob(["wheels/*.whl"]),
    visibility = ["//visibility:public"],
)
"""

def _wheel_files_impl(ctx):
    download_wheels(ctx, json.decode(ctx.attr.wheels), ctx.attr.python, "wheels", "The packages have no other source.")
    ctx.file("BUILD.bazel", _BUILD)

_wheel_files = repository_rule(
    implementation = _wheel_files_impl,
    attrs = {
        "python": attr.string(mandatory = True),
        "wheels": attr.string(mandatory = True, doc = "a table of wheels (wheels.bzl) as JSON"),
    },
    doc = "Pinned wheels; see wheel_files().",
)

def wheel_files(name, python, wheels):
    """Defines the repository @<name>; see the top of this file.

    Args:
      name: of the repository.
      python: the version of CPython that the wheels are for, "3.12".
      wheels: a table of wheels (wheels.bzl) for x86-64 Linux.
    """
    _wheel_files(name = name, python = python, wheels = json.encode(wheels))
