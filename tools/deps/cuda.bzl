"""@local_cuda: the CUDA toolkit of this machine (CUDA_PATH, else /usr/local/cuda), or an empty stand-in without one."""

def _local_cuda_impl(ctx):
    root = ctx.os.environ.get("CUDA_PATH", "") or "/usr/local/cuda"
    nvcc = ctx.path(root).get_child("bin").get_child("nvcc")
    lines = ['package(default_visibility = ["//visibility:public"])']
    if nvcc.exists:
        ctx.symlink(ctx.path(root).get_child("include"), "include")
        lines.append('cc_library(name = "headers", hdrs = glob(["include/**"]), includes = ["include"])')
    else:
        # Whatever needs CUDA's headers fails on this, and says why.
        message = "no CUDA toolkit: %s is not there. Install it (13.0), or set CUDA_PATH to where it is; without --config=cuda none is needed" % nvcc
        lines.append("genrule(name = 'missing', outs = ['missing.h'], cmd = %r)" % ("echo '%s' >&2; exit 1" % message))
        lines.append('cc_library(name = "headers", hdrs = [":missing"])')
    ctx.file("BUILD.bazel", "\n".join(lines) + "\n")
    ctx.file("toolkit.bzl", '"""The toolkit found, empty if none."""\nNVCC = %r\nROOT = %r\n' % (str(nvcc) if nvcc.exists else "", root))

local_cuda = repository_rule(
    implementation = _local_cuda_impl,
    environ = ["CUDA_PATH"],
    local = True,
    configure = True,
)
