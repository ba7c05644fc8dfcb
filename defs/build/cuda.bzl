"""CUDA in the build: a flag, a chooser, a library rule over nvcc, and tests on a GPU.

Not for device code of models: those use LibTorch's kernels. Example:

    cuda_library(name = "flush", srcs = ["flush.cu"], hdrs = ["flush.h"])
    cc_library(name = "device", deps = if_cuda([":flush"]))
    cuda_test(name = "device_gpu_test", srcs = ["device_gpu_test.cc"], deps = [":device"])
"""

load("@local_cuda//:toolkit.bzl", "PROBLEM", "REMOTE_GPU", "ROOT")
load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

# exec_properties of a test that needs a GPU: a remote executor gives it to a worker that says the same of itself. They are part of
# the key of its result, so what passed on another GPU, or with another driver, has not passed. The second is of cc_test and
# sh_test, whose compilations need no GPU; the rules of case_rules.bzl have no such group in Bazel 4.2, and no other action.
ON_GPU = {"gpu": REMOTE_GPU}
TEST_ON_GPU = {"test.gpu": REMOTE_GPU}

# nvcc's flags for this tree's .cu files and for a user's (compile_line.bzl), and its place.
NVCC_COPTS = ["-O2", "-std=c++20", "-Xcompiler", "-fPIC", "--expt-relaxed-constexpr", "-DNDEBUG", "-DUSE_CUDA"]
NVCC_PROBLEM = PROBLEM
NVCC_ROOT = ROOT
_ARCHS = ["80", "90"]

def nvcc_archs(archs = _ARCHS):
    """nvcc's flags for compute capabilities without the point, newest last, of which PTX is kept for chips that are newer still."""
    newest = archs[-1]
    flags = ["-gencode=arch=compute_%s,code=sm_%s" % (a, a) for a in archs]
    return flags + ["-gencode=arch=compute_%s,code=compute_%s" % (newest, newest)]

# Tag of a test whose timings another test on the same GPU would spoil. Bazel runs tests with it on this machine only, so tests that
# go to workers, each with a GPU of its own, do without it.
ALONE_ON_GPU = ["exclusive"] if REMOTE_GPU.endswith(" is not set") else []

def if_cuda(yes, no = []):
    """`yes` with --config=cuda, else `no`; for attributes of targets."""
    return select({"//defs/build:cuda_enabled": yes, "//conditions:default": no})

def cuda_test(name, srcs, deps, gpu = True, tags = [], **kwargs):
    """A C++ test that includes CUDA's headers: //... leaves it out without --config=cuda, by its tag, and fetches nothing of CUDA.

    Example: cuda_test(name = "device_gpu_test", srcs = ["device_gpu_test.cc"], deps = [":device"])

    Args:
      name: name of the test.
      srcs: C++ files.
      deps: libraries. Bazel 4 looks at those of a test that it leaves out, too, so without --config=cuda there are none.
      gpu: whether it needs a GPU. Then no other test runs at the same time.
      tags: beside cuda and gpu.
      **kwargs: as for cc_test.
    """
    cc_test(
        name = name,
        srcs = srcs,
        exec_properties = TEST_ON_GPU if gpu else {},
        tags = tags + ["cuda"] + (["gpu"] + ALONE_ON_GPU if gpu else []),
        target_compatible_with = if_cuda([], ["@platforms//:incompatible"]),
        deps = if_cuda(deps),
        **kwargs
    )

def libtorch_in_runfiles(package, cuda):
    """Options by which a program or library of this package finds LibTorch in its runfiles, on a machine without Bazel's folder.

    Bazel's runfiles have a repository beside the main one, by its canonical name, which --config=bzlmod changes."""
    repository = Label("@libtorch_cuda//:torch_cuda" if cuda else "@libtorch//:libraries").workspace_name
    return ["-Wl,-rpath,$$ORIGIN/%s../%s/site/torch/lib" % ("../" * (package.count("/") + 1), repository)]

def _cuda_objects_impl(ctx):
    if PROBLEM:
        fail("//%s:%s: %s" % (ctx.label.package, ctx.label.name, PROBLEM))
    context = cc_common.merge_cc_infos(cc_infos = [d[CcInfo] for d in ctx.attr.deps]).compilation_context
    objects = []
    for src in ctx.files.srcs:
        out = ctx.actions.declare_file("_nvcc/%s/%s.o" % (ctx.label.name, src.basename))
        args = ctx.actions.args()
        args.add("-c")
        args.add_all(NVCC_COPTS + nvcc_archs(ctx.attr.archs))
        args.add_all(context.defines, format_each = "-D%s")
        args.add("-I.")
        args.add_all(context.includes, before_each = "-I")
        args.add_all(context.quote_includes, before_each = "-I")
        args.add_all(context.system_includes, before_each = "-isystem")
        args.add_all([src, "-o", out])
        ctx.actions.run_shell(
            outputs = [out],
            inputs = depset([src] + ctx.files.hdrs, transitive = [context.headers]),
            # nvcc's temporary names collide in a shared folder.
            command = 'T=$(mktemp -d) && TMPDIR=$T "%s/bin/nvcc" "$@"; r=$?; rm -rf "$T"; exit $r' % ROOT,
            arguments = [args],
            mnemonic = "Nvcc",
            progress_message = "nvcc %s" % src.short_path,
            env = {"PATH": "/usr/bin:/bin"},
        )
        objects.append(out)
    return [DefaultInfo(files = depset(objects))]

_cuda_objects = rule(
    implementation = _cuda_objects_impl,
    attrs = {
        "archs": attr.string_list(default = _ARCHS, doc = "compute capabilities without the point, newest last"),
        "deps": attr.label_list(providers = [CcInfo]),
        "hdrs": attr.label_list(allow_files = True),
        "srcs": attr.label_list(allow_files = [".cu"]),
    },
)

def cuda_library(name, srcs, hdrs = [], deps = [], **kwargs):
    """A C++ library out of .cu files; without a CUDA toolkit it fails and says how to get one.

    Args:
      name: name of the library.
      srcs: .cu files.
      hdrs: headers that its users include.
      deps: C++ libraries; `@local_cuda//:headers` is added.
      **kwargs: as for cc_library.
    """
    deps = deps + ["@local_cuda//:headers"]
    _cuda_objects(name = name + "_objects", srcs = srcs, hdrs = hdrs, deps = deps, tags = ["manual"])
    tags = kwargs.pop("tags", []) + ["manual"]
    cc_library(name = name, srcs = [name + "_objects"], hdrs = hdrs, deps = deps, linkstatic = True, tags = tags, **kwargs)
