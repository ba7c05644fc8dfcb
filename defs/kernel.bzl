"""kernel(): a kernel of one's own as a target: built with the flags of kernels, measured and verified beside the operator of ATen that
it is like. For a package anywhere in this tree; docs/kernels.md.

    load("//defs:kernel.bzl", "kernel")

    kernel(
        name = "row_softmax",
        srcs = ["row_softmax.cc"],          # or .cu, with --config=cuda; TORCH_LIBRARY(mine, m) { m.def("softmax(Tensor self, int dim) -> Tensor"); ... }
        like = "aten::softmax.int",
        at = ["b=4096,c=4096"],             # sizes, beside those of this tree's rows of the operator
    )

makes
    :row_softmax          tools/bazel run: right, and faster? Flags of //tools:kernel stand behind --
    :row_softmax_test     tools/bazel test: right?
    :librow_softmax.so    the library
"""

load("@rules_cc//cc:defs.bzl", "cc_binary")
load("//defs:case_rules.bzl", "FIND_RUNFILES", "label_text")
load("//defs/build:copts.bzl", "KERNEL_COPTS")
load("//defs/build:cuda.bzl", "cuda_library", "if_cuda")

# The program looks for its own files there, too.
_SCRIPT = FIND_RUNFILES + """export RUNFILES_DIR="${{w%/*}}"
exec "$w/{program}" "$w/{library}"{words} "$@"
"""

def _quoted(word):
    return "'" + word.replace("'", "'\\''") + "'"

def _kernel_executable_impl(ctx):
    exe = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(exe, is_executable = True, content = _SCRIPT.format(
        label = label_text(ctx.label),
        library = ctx.file.library.short_path,
        program = ctx.executable.program.short_path,
        words = "".join([" " + _quoted(word) for word in ctx.attr.words]),
        workspace = ctx.workspace_name,
    ))
    runfiles = ctx.runfiles([ctx.file.library, ctx.executable.program])
    for target in [ctx.attr.library, ctx.attr.program]:
        runfiles = runfiles.merge(target[DefaultInfo].default_runfiles)
    return [DefaultInfo(executable = exe, runfiles = runfiles)]

_ATTRS = {
    "library": attr.label(mandatory = True, allow_single_file = [".so"]),
    "program": attr.label(mandatory = True, executable = True, cfg = "target"),
    "words": attr.string_list(doc = "behind the library, before the user's"),
}

_kernel_binary = rule(implementation = _kernel_executable_impl, attrs = _ATTRS, executable = True)
_kernel_test = rule(implementation = _kernel_executable_impl, attrs = _ATTRS, test = True)

def kernel(
        name,
        srcs,
        like,
        op = "",
        at = [],
        words = [],
        copts = KERNEL_COPTS,
        deps = [],
        program = "//tools/kernel",
        tags = [],
        test_size = "medium",
        visibility = None):
    """Makes :<name>, :<name>_test and :lib<name>.so; see the head of this file.

    Args:
      name: of the targets.
      srcs: C++ and CUDA sources, and headers.
      like: the operator of ATen that it computes, with its overload: aten::softmax.int.
      op: the operator that the library registers, mine::softmax; needed where it registers several.
      at: sizes, each "name=number,...".
      words: more flags of //tools:kernel, of both targets.
      copts: in the place of KERNEL_COPTS. Those are for the machine that builds; machines that share a cache, or workers, need others.
      deps: C++ libraries besides LibTorch.
      program: what is started, for the test of this macro.
      tags: of the test.
      test_size: of the test.
      visibility: of all three.
    """
    if "::" not in like:
        fail('kernel(name = %r): like = %r names no operator; it is one of ATen\'s, e.g. "aten::softmax.int"' % (name, like))
    cuda = [src for src in srcs if src.endswith(".cu")]
    headers = [src for src in srcs if src.endswith((".h", ".hpp", ".cuh"))]
    if cuda:
        cuda_library(name = name + "_cuda", srcs = cuda, hdrs = headers, deps = ["//tools/deps:torch"] + deps)
    library = "lib%s.so" % name
    cc_binary(
        name = library,
        srcs = [src for src in srcs if src not in cuda],
        copts = copts,
        linkshared = True,
        tags = ["manual"] if cuda else [],
        visibility = visibility,
        deps = ["//tools/deps:torch"] + deps + (if_cuda([":%s_cuda" % name, "@libtorch_cuda//:torch_cuda"]) if cuda else []),
    )
    words = ["--like=" + like] + (["--op=" + op] if op else []) + ["--at=" + size for size in at] + words
    parts = dict(library = library, program = program, visibility = visibility)
    _kernel_binary(name = name, tags = ["manual"] if cuda else [], words = words, **parts)
    _kernel_test(
        name = name + "_test",
        size = test_size,
        tags = ["libtorch"] + (["cuda", "gpu"] if cuda else []) + tags,
        words = words + ["--action=verify"],
        **parts
    )
