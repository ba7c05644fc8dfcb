"""@local_cuda: the CUDA toolkit of this machine (CUDA_PATH, else /usr/local/cuda), or an empty stand-in without one."""

def _local_cuda_impl(ctx):
    root = ctx.os.environ.get("CUDA_PATH", "") or "/usr/local/cuda"
    nvcc = ctx.path(root).get_child("bin").get_child("nvcc")
    lines = ['package(default_visibility = ["//visibility:public"])']
    if nvcc.exists:
        ctx.symlink(ctx.path(root).get_child("include"), "include")
        lines.append('cc_library(name = "headers", hdrs = glob(["include/**"]), includes = ["include"])')
    else:
        lines.append('cc_library(name = "headers")')
    ctx.file("BUILD.bazel", "\n".join(lines) + "\n")
    ctx.file("toolkit.bzl", '"""The toolkit found, empty if none."""\nNVCC = %r\nROOT = %r\n' % (str(nvcc) if nvcc.exists else "", root))

local_cuda = repository_rule(
    implementation = _local_cuda_impl,
    environ = ["CUDA_PATH"],
    local = True,
    configure = True,
)
