"""Repository rule @oracle_python: a Python that can run other people's model code, for computing references.

`@oracle_python//:python` is a program that starts Python 3.11 with the packages of oracle_wheels.bzl and nothing else:
no distribution packages, no user site, no network. It serves tools that need a Python-only library (oracles, later
exporters); nothing that measures may depend on it. It is fetched (0.6 GB of downloads, 1.5 GB unpacked) only when a
target that needs it is built; such targets carry the tag `manual`.

Example:

    load("//tools/deps:oracle_python.bzl", "oracle_python")
    oracle_python(name = "oracle_python")                       # WORKSPACE

    tools/bazel run @oracle_python//:python -- -c 'import torchvision; print(torchvision.__version__)'

torch's wheel links NVIDIA's libraries (2 GB more) although the oracles compute on the CPU only. Stubs take their place
(cuda_stubs.py): there CUDA is never available, on a machine with a GPU neither. Don't put this site before a driver.
"""

load(":oracle_wheels.bzl", "ORACLE_WHEELS")
load(":versions.bzl", "LIBTORCH_PYTHON")
load(":wheels.bzl", "download_wheels")

_BUILD = """
package(default_visibility = ["//visibility:public"])

sh_binary(name = "python", srcs = ["bin/python"])
"""

# PYTHONPATH with -S: only the site and the standard library. The script's own folder comes first, as always.
_WRAPPER = """#!/bin/sh
# Python {version} with the packages of tools/deps/oracle_wheels.bzl and nothing else. Made by oracle_python.bzl.
unset PYTHONHOME PYTHONSTARTUP PYTHONINSPECT LD_LIBRARY_PATH LD_PRELOAD
export PYTHONPATH={site} PYTHONNOUSERSITE=1 PYTHONHASHSEED=0
export HF_HUB_OFFLINE=1 HF_HUB_DISABLE_TELEMETRY=1 CUDA_VISIBLE_DEVICES=
exec {python} -s -S "$@"
"""

def _find_python(ctx):
    """The interpreter itself (not a version manager's shim), or an error that says what to install."""
    for candidate in [ctx.path("/usr/bin/python" + LIBTORCH_PYTHON), ctx.which("python" + LIBTORCH_PYTHON), ctx.which("python3")]:
        if not candidate or not candidate.exists:
            continue
        result = ctx.execute([candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2]); print(sys.executable)"])
        lines = result.stdout.split("\n")
        if not result.return_code and lines[0] == LIBTORCH_PYTHON:
            return lines[1]
    fail(("@%s: no Python %s on this machine; the oracles' wheels are for that version. " +
          "Debian 12: apt-get install python3; elsewhere put a python%s on PATH.") %
         (ctx.name, LIBTORCH_PYTHON, LIBTORCH_PYTHON))

def _check_tools(ctx):
    pip = ctx.execute([ctx.which("python3") or "false", "-m", "pip", "--version"])
    if pip.return_code:
        fail("@%s: no pip to download the wheels with: apt-get install python3-pip" % ctx.name)
    for tool, package in [("g++", "g++"), ("nm", "binutils"), ("readelf", "binutils")]:
        if not ctx.which(tool):
            fail("@%s: no %s to make the stub CUDA libraries with: apt-get install %s" % (ctx.name, tool, package))

def _run(ctx, what, arguments):
    ctx.report_progress(what)
    result = ctx.execute(arguments, timeout = 3600)
    if result.return_code:
        fail("@%s: %s failed:\n%s" % (ctx.name, what, result.stderr or result.stdout))
    return result.stdout

def _oracle_python_impl(ctx):
    python = _find_python(ctx)
    _check_tools(ctx)
    download_wheels(ctx, ORACLE_WHEELS, LIBTORCH_PYTHON, "wheels", "The oracles have no other source.")
    _run(ctx, "unpacking %d wheels" % len(ORACLE_WHEELS), [python, ctx.path(ctx.attr._unpack), "site", "wheels"])
    ctx.delete("wheels")
    _run(ctx, "making stub CUDA libraries", [python, ctx.path(ctx.attr._stubs), "site"])
    site = str(ctx.path("site").realpath)
    ctx.file("bin/python", _WRAPPER.format(python = python, site = site, version = LIBTORCH_PYTHON), executable = True)
    _run(ctx, "importing torchvision and transformers once", [
        ctx.path("bin/python"),
        "-c",
        "import torch, torchvision, transformers; from transformers import BertModel; assert not torch.cuda.is_available()",
    ])
    ctx.file("BUILD.bazel", _BUILD)

oracle_python = repository_rule(
    implementation = _oracle_python_impl,
    attrs = {
        "_stubs": attr.label(default = "//tools/deps:cuda_stubs.py"),
        "_unpack": attr.label(default = "//tools/deps:unpack_oracle.py"),
    },
    doc = "Python 3.11 with torch, torchvision and transformers for computing references on the CPU.",
)
