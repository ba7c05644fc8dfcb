"""wheel_library(): a repository with shared libraries out of one Python wheel, for a program that opens them by name.

`@NAME//:NAME` brings the library's folder into the program's search path, and the wheel's headers where it has any. The
libraries belong to no version of CPython that anything here runs. Fetched only when something that needs it is built.

Example:

    load("//tools/deps:wheel_library.bzl", "wheel_library")
    wheel_library(                                              # dependencies.bzl
        name = "onnxruntime",
        **WHEEL_LIBRARIES["onnxruntime"]                        # versions.bzl
    )
"""

load(":run_step.bzl", "run_step")
load(":versions.bzl", "LIBTORCH_PYTHON")
load(":wheels.bzl", "download_wheels")

_BUILD = """
load("@rules_cc//cc:defs.bzl", "cc_library")

cc_library(
    name = "%s",
    data = glob(["lib/*"]),
    hdrs = glob(["include/**"]),
    includes = ["include"],
    linkopts = ["-ldl", "-Wl,-rpath,%s"],
    visibility = ["//visibility:public"],
)
"""

# A member that ends with a slash is a folder.
_UNPACK = """
import os, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
for member, to in (word.split("=") for word in sys.argv[2:]):
    for name in [n for n in wheel.namelist() if member.endswith("/") and n.startswith(member) and not n.endswith("/")] or [member]:
        path = to + name[len(member):]
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(wheel.read(name))
"""

def _wheel_library_impl(ctx):
    download_wheels(ctx, {ctx.attr.package: (ctx.attr.version, ctx.attr.sha256)}, LIBTORCH_PYTHON, "wheels", "The library has no other source.")
    wheel = [f for f in ctx.path("wheels").readdir() if f.basename.endswith(".whl")][0]
    members = ["%s=%s" % item for item in sorted(ctx.attr.members.items())]
    run_step(ctx, "unpacking", [ctx.which("python3"), "-c", _UNPACK, wheel] + members)
    ctx.delete("wheels")
    ctx.file("BUILD.bazel", _BUILD % (ctx.attr.target, ctx.path("lib").realpath))

_wheel_library = repository_rule(
    implementation = _wheel_library_impl,
    attrs = {
        "members": attr.string_dict(mandatory = True),
        "package": attr.string(mandatory = True),
        "sha256": attr.string(mandatory = True),
        "target": attr.string(mandatory = True),
        "version": attr.string(mandatory = True),
    },
    doc = "Shared libraries of a wheel; see wheel_library().",
)

def wheel_library(name, version, sha256, members, package = ""):
    """Defines the repository @<name>; see the top of this file.

    Args:
      name: of the repository and its target.
      version: of the package.
      sha256: of its wheel for LIBTORCH_PYTHON.
      members: of the wheel -> path in the repository: libraries in lib/, headers in include/.
      package: its name on the index, where that is another one.
    """
    _wheel_library(name = name, members = members, package = package or name, sha256 = sha256, target = name, version = version)
