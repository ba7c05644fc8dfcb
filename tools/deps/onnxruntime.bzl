"""Repository rule @onnxruntime: ONNX Runtime's library for the CPU, out of its Python wheel (24 MB to fetch).

`@onnxruntime//:onnxruntime` lets a program open libonnxruntime.so by its name at run time. The wheel has no headers:
benchmarks/backends/onnxruntime.cc says how it is called. It is fetched only when that back end is built.

Example:

    load("//tools/deps:onnxruntime.bzl", "onnxruntime")
    onnxruntime(name = "onnxruntime")                           # dependencies.bzl
"""

load(":run_step.bzl", "run_step")
load(":versions.bzl", "LIBTORCH_PYTHON")
load(":wheels.bzl", "download_wheels")

_VERSION = "1.31.1"
_WHEELS = {"onnxruntime": (_VERSION, "5752bd508126ae7c49894d3b9d2e83f0c3d487319246d04c444b393308d7ad7f")}  # of LIBTORCH_PYTHON
_LIBRARY = "onnxruntime/capi/libonnxruntime.so." + _VERSION

_BUILD = """
load("@rules_cc//cc:defs.bzl", "cc_library")

cc_library(
    name = "onnxruntime",
    data = ["lib/libonnxruntime.so"],
    linkopts = ["-ldl", "-Wl,-rpath,%s"],
    visibility = ["//visibility:public"],
)
"""

_UNPACK = "import sys, zipfile; open(sys.argv[3], 'wb').write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))"

def _onnxruntime_impl(ctx):
    download_wheels(ctx, _WHEELS, LIBTORCH_PYTHON, "wheels", "The library has no other source.")
    wheel = [f for f in ctx.path("wheels").readdir() if f.basename.endswith(".whl")][0]
    ctx.file("lib/made", "")
    run_step(ctx, "unpacking", [ctx.which("python3"), "-c", _UNPACK, wheel, _LIBRARY, "lib/libonnxruntime.so"])
    ctx.delete("wheels")
    ctx.file("BUILD.bazel", _BUILD % ctx.path("lib").realpath)

onnxruntime = repository_rule(
    implementation = _onnxruntime_impl,
    doc = "ONNX Runtime's library for the CPU.",
)
