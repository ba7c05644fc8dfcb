"""Repository rule @stablehlo_python: what writes StableHLO (torch-mlir) and what runs it (IREE), besides @oracle_python's packages.

180 MB to fetch, 0.7 GB unpacked, for //tools/export:export_stablehlo alone, which puts its site behind the oracles' one. To upgrade:
edit, then `tools/bazel build @stablehlo_python//:python`; a wrong digest is refused with the right one shown.

    load("//tools/deps:stablehlo_python.bzl", "stablehlo_python")
    stablehlo_python(name = "stablehlo_python")                 # dependencies.bzl
"""

load(":onnx_wheels.bzl", "ONNX_WHEELS")
load(":python_site.bzl", "unpack_site", "write_site_program")
load(":run_step.bzl", "run_step")

# One wheel is for CPython 3.11, another for 3.12 and all later ones.
def _digests(of_311, of_later):
    return {"3.11": of_311, "3.12": of_later, "3.13": of_later, "3.14": of_later}

# A table of wheels (wheels.bzl).
_WHEELS = {
    "iree-base-compiler": ("3.13.0", _digests(
        "6e1f83dc404f5dcdd76354a869cbbb389bd3f93b4623096de3195799ceb323a7",
        "d09d2ebd8955d3eeeab5677007c3d26830c8585c61a0e0ccdfc020b63c129e6f",
    )),
    "iree-base-runtime": ("3.13.0", _digests(
        "4ecb03d5a33989d765eaa8bf1fe6199a937c88c1004e56c85714532cd95934fa",
        "e342bf407010dd42ee2fb431ab763d97c6ebbcad0762c1e843806db3db31572c",
    )),
    "ml-dtypes": ONNX_WHEELS["ml-dtypes"],
    "torch-mlir": ("20261001", _digests(
        "3fb6cc11d248f1ece7149cf21cc40f528b9c6f45424464678485db2c83c199af",
        "e02ab29293ec2eba0a573ef20a154ecafd0ab1e8b305979fca2e2ac0b48e2b34",
    )),
}

def _stablehlo_python_impl(ctx):
    found = unpack_site(ctx, _WHEELS, ctx.path(ctx.attr._unpack))
    if not found:
        return

    # IREE's Python starts its compiler, and that its linker; unpacked files may not be started.
    libraries = "site/iree/compiler/_mlir_libs/"
    run_step(ctx, "unpacking", ["chmod", "+x", libraries + "iree-compile", libraries + "iree-lld"])
    write_site_program(ctx, found, {}, "import iree.compiler, torch_mlir.ir")  # the rest of them needs the oracles' numpy

stablehlo_python = repository_rule(
    implementation = _stablehlo_python_impl,
    attrs = {"_unpack": attr.label(default = "//tools/deps:unpack_oracle.py")},
    environ = ["ASSAY_PYTHON"],
    doc = "CPython with torch-mlir and IREE.",
)
