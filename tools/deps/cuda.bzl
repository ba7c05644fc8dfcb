"""@local_cuda: the CUDA toolkit that --config=cuda compiles with, whether NVIDIA's driver is here, and which GPU tests ask of a
remote executor.

The toolkit is the one at CUDA_PATH; without that variable the one at /usr/local/cuda, if its version is right; else
@cuda_wheels, nvcc as the Python package index ships it, which is fetched when something needs it and not before.
--repo_env=CUDA_PATH=wheels asks for the last one. ASSAY_REMOTE_GPU: docs/machines.md.
"""

load(":cc_rules.bzl", "CC_LIBRARY", "RULES_CC")
load(":header_folder.bzl", "header_folder")
load(":nvidia_wheels.bzl", "UNPACK", "fetch_nvidia_wheels")
load(":versions.bzl", "CUDA_TOOLKIT_MEGABYTES", "CUDA_TOOLKIT_WHEELS")

_MAJOR = 13  # the CUDA that torch's wheels are built for
_HEADERS = 'cc_library(name = "headers", hdrs = %s, includes = ["include"])'
_PUBLIC = 'package(default_visibility = ["//visibility:public"])'

# Any of them is there once the driver is; the last is Windows' own, for Linux on it.
_DRIVER = ["/dev/nvidiactl", "/dev/nvidia0", "/proc/driver/nvidia/version", "/dev/dxg"]

def _problem_of(ctx, root):
    """Why the folder is no toolkit for this tree; "" if it is one."""
    header = ctx.path(root + "/include/cuda_runtime_api.h")
    for path in [ctx.path(root + "/bin/nvcc"), header]:
        if not path.exists:
            return "%s is not there" % path
    digits = ctx.read(header).partition("#define CUDART_VERSION")[2].partition("\n")[0].strip()
    version = int(digits) if digits.isdigit() else 0
    if version // 1000 != _MAJOR:
        return "%s has CUDA %d.%d, and torch as pinned is built for %d" % (root, version // 1000, version % 1000 // 10, _MAJOR)
    return ""

def _local_cuda_impl(ctx):
    given = ctx.os.environ.get("CUDA_PATH", "")
    root = given or "/usr/local/cuda"
    problem = "" if given == "wheels" else _problem_of(ctx, root)
    lines = [CC_LIBRARY if ctx.attr.rules_cc else "", _PUBLIC]
    if given == "wheels" or (problem and not given):
        # The folder beside this repository, whatever prefix its name has; asking Bazel for its path would fetch it.
        root = str(ctx.path("BUILD.bazel").dirname)[:-len("local_cuda")] + "cuda_wheels/nvidia/cu13"
        problem = ""
        lines.append('alias(name = "headers", actual = "@cuda_wheels//:headers")')
    elif problem:
        # Everything that needs CUDA's headers depends on this target, which fails and says why.
        problem = ("no CUDA toolkit: %s. Point CUDA_PATH at a toolkit %d.x, or unset it: then nvcc is fetched, %d MB. " +
                   "Without --config=cuda none is needed") % (problem, _MAJOR, CUDA_TOOLKIT_MEGABYTES.fetched)
        lines.append("genrule(name = 'missing', outs = ['missing.h'], cmd = %r)" % ("echo '%s' >&2; exit 1" % problem))
        lines.append('cc_library(name = "headers", hdrs = [":missing"])')
    else:
        ctx.symlink(ctx.path(root + "/include"), "include")
        lines.append(_HEADERS % header_folder(ctx, "include"))
    ctx.file("BUILD.bazel", "\n".join(lines) + "\n")
    remote = ctx.os.environ.get("ASSAY_REMOTE_GPU", "") or "ASSAY_REMOTE_GPU is not set"
    ctx.file("toolkit.bzl", '"""The toolkit: its folder, and why it is none; the GPU of remote workers."""\nPROBLEM = %r\nREMOTE_GPU = %r\nROOT = %r\n' % (problem, remote, root))
    ctx.file("driver.txt", "yes" if [p for p in _DRIVER if ctx.path(p).exists] else "no")

local_cuda = repository_rule(
    implementation = _local_cuda_impl,
    attrs = {"rules_cc": RULES_CC},
    environ = ["ASSAY_REMOTE_GPU", "CUDA_PATH"],
    local = True,
    configure = True,
)

def _cuda_wheels_impl(ctx):
    fetch_nvidia_wheels(
        ctx,
        CUDA_TOOLKIT_WHEELS,
        CUDA_TOOLKIT_MEGABYTES,
        why = "no toolkit %d.x in /usr/local/cuda, or CUDA_PATH=wheels" % _MAJOR,
        flavour = "toolkit",
        out = ".",
        hint = "Or install NVIDIA's package cuda-toolkit-13-0 (and set CUDA_PATH to its folder if that is not /usr/local/cuda).",
    )
    ctx.symlink("nvidia/cu13/include", "include")
    ctx.symlink("nvidia/cu13/lib", "nvidia/cu13/lib64")
    ctx.file("BUILD.bazel", "\n".join([CC_LIBRARY if ctx.attr.rules_cc else "", _PUBLIC, _HEADERS % header_folder(ctx, "include")]) + "\n")

cuda_wheels = repository_rule(
    implementation = _cuda_wheels_impl,
    attrs = dict(UNPACK, rules_cc = RULES_CC),
)
