"""source_package(): a repository with the C++ sources of a pinned source package of Python, as one library.

`@NAME//:NAME` is the library; its headers are included as <NAME/header.h>. pip fetches the package and checks its digest. pip also
asks a package for its metadata, which runs the package's own code with whatever that needs; here a stand-in answers, so nothing of the
package runs. Fetched only when something that needs it is built.

Example:

    load("//tools/deps:source_package.bzl", "source_package")
    source_package(name = "loadgen", **SOURCE_PACKAGES["loadgen"])     # dependencies.bzl, versions.bzl
"""

load(":run_step.bzl", "run_step")

_BUILD = """
load("@rules_cc//cc:defs.bzl", "cc_library")

cc_library(
    name = "{name}",
    srcs = {sources},
    hdrs = glob(["*.h"]),
    copts = ["-Iexternal/{repository}", "-w"],
    include_prefix = "{name}",
    linkopts = ["-pthread"],
    linkstatic = True,
    strip_include_prefix = "/",
    visibility = ["//visibility:public"],
)
"""

# pip takes this for setuptools.
_STAND_IN = """
import os, sys
__legacy__ = sys.modules[__name__]
def prepare_metadata_for_build_wheel(folder, config_settings=None):
    name = "{stem}.dist-info"
    os.makedirs(os.path.join(folder, name))
    with open(os.path.join(folder, name, "METADATA"), "w") as file:
        file.write("Metadata-Version: 2.1\\nName: {package}\\nVersion: {version}\\n")
    return name
"""

def _source_package_impl(ctx):
    package, version = ctx.attr.package, ctx.attr.version
    stem = "%s-%s" % (package.replace("-", "_"), version)
    ctx.file("stand_in/setuptools/__init__.py", "")
    ctx.file("stand_in/setuptools/build_meta.py", _STAND_IN.format(package = package, stem = stem, version = version))
    ctx.file("requirements.txt", "%s==%s --hash=sha256:%s\n" % (package, version, ctx.attr.sha256))
    run_step(ctx, "fetching the sources of %s" % package, [
        ctx.which("python3"),
        "-m",
        "pip",
        "download",
        "-q",
        "--disable-pip-version-check",
        "--no-deps",
        "--require-hashes",
        "--no-binary=:all:",
        "--no-build-isolation",
        "--use-pep517",
        "--dest",
        "archive",
        "-r",
        "requirements.txt",
    ], environment = {"PYTHONPATH": str(ctx.path("stand_in"))})
    archive = ctx.path("archive").readdir()[0]
    run_step(ctx, "unpacking %s" % package, ["tar", "-xzf", archive, "--strip-components=1", "--no-same-owner"])
    ctx.delete("archive")
    ctx.delete("stand_in")
    target = ctx.attr.target
    ctx.file("BUILD.bazel", _BUILD.format(name = target, repository = ctx.name, sources = repr(ctx.attr.sources)))

_source_package = repository_rule(
    implementation = _source_package_impl,
    attrs = {
        "package": attr.string(mandatory = True),
        "sha256": attr.string(mandatory = True),
        "sources": attr.string_list(mandatory = True),
        "target": attr.string(mandatory = True),
        "version": attr.string(mandatory = True),
    },
    doc = "C++ sources of a source package; see source_package().",
)

def source_package(name, package, version, sha256, sources):
    """Defines the repository @<name>; see the top of this file.

    Args:
      name: of the repository and its target.
      package: its name on the index.
      version: of the package.
      sha256: of its .tar.gz.
      sources: the C++ files of the library.
    """
    _source_package(name = name, package = package, sha256 = sha256, sources = sources, target = name, version = version)
