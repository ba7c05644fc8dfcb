"""Repository rule @oracle_python: a Python that can run other people's model code, for computing references.

`@oracle_python//:python` is a program that starts CPython (3.11 to 3.14) with the packages of oracle_wheels.bzl and nothing else:
no distribution packages, no user site, no network. It serves tools that need a Python-only library (oracles, later
exporters); nothing that measures may depend on it. It is fetched (0.6 GB of downloads, 1.5 GB unpacked) only when a
target that needs it is built; such targets carry the tag `manual`.

Example:

    load("//tools/deps:oracle_python.bzl", "oracle_python")
    oracle_python(name = "oracle_python")                       # dependencies.bzl

    tools/bazel run @oracle_python//:python -- -c 'import torchvision; print(torchvision.__version__)'

torch's wheel links NVIDIA's libraries (2 GB more) although the oracles compute on the CPU only. Stubs take their place
(cuda_stubs.py): there CUDA is never available, on a machine with a GPU neither. Don't put this site before a driver.
"""

load(":oracle_wheels.bzl", "ORACLE_WHEELS")
load(":python_site.bzl", "unpack_site", "write_site_program")
load(":run_step.bzl", "run_step")

_ENVIRONMENT = {"CUDA_VISIBLE_DEVICES": "", "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_OFFLINE": "1"}
_CHECK = "import timm, torch, torch_geometric, torchaudio, torchvision, transformers; from transformers import BertModel; assert not torch.cuda.is_available()"

def _check_compiler(ctx):
    for tool, package in [("g++", "g++"), ("nm", "binutils"), ("readelf", "binutils")]:
        if not ctx.which(tool):
            fail("@%s: no %s to make the stub CUDA libraries with: apt-get install %s" % (ctx.name, tool, package))

def _oracle_python_impl(ctx):
    _check_compiler(ctx)
    found = unpack_site(ctx, ORACLE_WHEELS, ctx.path(ctx.attr._unpack))
    if not found:
        return
    run_step(ctx, "making stub CUDA libraries", [found[1], ctx.path(ctx.attr._stubs), "site"])
    write_site_program(ctx, found, _ENVIRONMENT, _CHECK)

oracle_python = repository_rule(
    implementation = _oracle_python_impl,
    attrs = {
        "_stubs": attr.label(default = "//tools/deps:cuda_stubs.py"),
        "_unpack": attr.label(default = "//tools/deps:unpack_oracle.py"),
    },
    environ = ["ASSAY_PYTHON"],
    doc = "CPython with torch, torchvision, torchaudio, timm, transformers and torch_geometric for computing references on the CPU.",
)
