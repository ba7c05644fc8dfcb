"""compile_line(): how a program, at run time, compiles a user's C++ file into a shared library as this build would.

    compile_line(
        name = "compile_line",
        deps = ["//tools/deps:torch"],           # whose headers, defines and flags the file gets
        header = "//tools/deps:kernel_headers",  # precompiled, included before the file's first line
        version_header = "torch/version.h",      # its text changes with the deps' version
    )

writes <name>.txt, a line "KEY WORD" for each word, in order; tools/kernel/compile_command.h reads it:

    folder tools/kernel                         of this file, below the folder at which the paths begin: that of the runfiles
    compiler /usr/bin/gcc
    compile -fPIC                               a flag of the compiler: the toolchain's, the command line's, KERNEL_COPTS
    link -shared                                a flag of the linker
    include ../libtorch/torch_include           a folder of headers
    library ../libtorch/site/torch/lib/libc10.so
    tvm_ffi ../tvm_ffi/lib/libtvm_ffi.so        what a TVM-FFI library finds its symbols in, if one of deps is @tvm_ffi
    header tools/deps/kernel_headers.h
    version torch/version.h
    nvcc /usr/local/cuda/bin/nvcc               with --config=cuda; else `no_nvcc` and what is missing
    nvcc_compile -gencode=arch=compute_90,code=sm_90
    nvcc_link -ltorch_cuda

Its runfiles hold all that it names. The library is not linked with LibTorch: it is loaded into a process that has LibTorch, whose
symbols the loader finds for it. A linker would read 450 MB for nothing, and a library that names another copy of LibTorch
would bring that copy into the process. A .cu file is linked with the CUDA parts of LibTorch by name, since the process
loads those where the loader does not search for others.
"""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":copts.bzl", "KERNEL_COPTS")
load(":cuda.bzl", "NVCC_COPTS", "NVCC_PROBLEM", "NVCC_ROOT", "if_cuda", "nvcc_archs")

_COMPILE = "c++-compile"
_LINK = "c++-link-dynamic-library"
_TVM_FFI = "libtvm_ffi.so"
_NO_CUDA = "a .cu file needs nvcc and LibTorch for CUDA, which this build is without: tools/bazel run --config=cuda //tools:kernel"

def _in_runfiles(ctx, path):
    """The place in the runfiles of what is at `path` in Bazel's own folder; a path on this machine stays."""
    for root in [ctx.bin_dir.path + "/", ctx.genfiles_dir.path + "/"]:
        path = path[len(root):] if path.startswith(root) else path
    return "../" + path[len("external/"):] if path.startswith("external/") else path

def _toolchain_lines(ctx, compiler, context):
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = compiler,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    compile = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = compiler,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + ctx.attr.copts,
        preprocessor_defines = context.defines,
        use_pic = True,
    )
    link = cc_common.create_link_variables(
        feature_configuration = features,
        cc_toolchain = compiler,
        is_linking_dynamic_library = True,
        user_link_flags = ctx.fragments.cpp.linkopts,
    )
    lines = [("compiler", _in_runfiles(ctx, cc_common.get_tool_for_action(feature_configuration = features, action_name = _COMPILE)))]
    for key, action, variables in [("compile", _COMPILE, compile), ("link", _LINK, link)]:
        words = cc_common.get_memory_inefficient_command_line(feature_configuration = features, action_name = action, variables = variables)
        lines += [(key, word) for word in words]
    return lines

def _nvcc_lines(ctx, context):
    if NVCC_PROBLEM or not ctx.attr.cuda:
        return [("no_nvcc", NVCC_PROBLEM if ctx.attr.cuda else _NO_CUDA)]
    inputs = cc_common.merge_cc_infos(cc_infos = [d[CcInfo] for d in ctx.attr.cuda_deps]).linking_context.linker_inputs
    return (
        [("nvcc", NVCC_ROOT + "/bin/nvcc")] +
        [("nvcc_compile", flag) for flag in NVCC_COPTS + nvcc_archs() + ["-D" + d for d in context.defines.to_list()]] +
        [("nvcc_link", flag) for i in inputs.to_list() for flag in i.user_link_flags]
    )

def _is_libtorch(file):
    return file.extension == "so" and (file.basename.startswith("libtorch") or file.basename.startswith("libc10"))

def _compile_line_impl(ctx):
    compiler = ctx.attr._compiler[cc_common.CcToolchainInfo]
    context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context

    # Bazel 7 keeps folders of external repositories apart (--features=external_include_paths).
    folders = depset(transitive = [context.includes, context.system_includes, getattr(context, "external_includes", depset())])
    precompiled = [ctx.attr.header[CcInfo].compilation_context.headers] if ctx.attr.header else []
    runtime = [dep[DefaultInfo].default_runfiles.files for dep in ctx.attr.deps]
    lines = [("folder", ctx.label.package)] + _toolchain_lines(ctx, compiler, context)
    lines += [("include", folder) for folder in {_in_runfiles(ctx, f): True for f in folders.to_list()}]
    lines += [("library", file.short_path) for file in depset(transitive = runtime).to_list() if _is_libtorch(file)]
    lines += [("tvm_ffi", file.short_path) for file in depset(transitive = runtime).to_list() if file.basename == _TVM_FFI]
    lines += [("header", file.short_path) for file in depset(transitive = precompiled).to_list() if file.basename == ctx.attr.header.label.name + ".h"]
    lines += [("version", ctx.attr.version_header)] if ctx.attr.version_header else []
    lines += _nvcc_lines(ctx, context)

    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(out, "".join(["%s %s\n" % line for line in lines]))
    headers = depset([out], transitive = [context.headers, compiler.all_files] + precompiled + runtime)
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles(transitive_files = headers))]

_compile_line = rule(
    implementation = _compile_line_impl,
    attrs = {
        "copts": attr.string_list(),
        "cuda": attr.bool(),
        "cuda_deps": attr.label_list(providers = [CcInfo], doc = "with which a .cu file is linked"),
        "deps": attr.label_list(mandatory = True, providers = [CcInfo]),
        "header": attr.label(providers = [CcInfo], doc = "a precompiled_header()"),
        "version_header": attr.string(),
        "_compiler": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
)

def compile_line(name, deps, copts = KERNEL_COPTS, header = None, version_header = "", **kwargs):
    """Makes :<name>, the file <name>.txt; see the head of this file.

    Args:
      name: of the file.
      deps: C++ libraries of which only headers, defines and runfiles are used.
      copts: behind the command line's flags, so that they win.
      header: a precompiled_header() with these copts; GCC passes over it where flags differ.
      version_header: a file in one of the include folders.
      **kwargs: as of any rule.
    """
    _compile_line(
        name = name,
        copts = copts,
        cuda = if_cuda(True, False),
        cuda_deps = if_cuda(["@libtorch_cuda//:torch_cuda", "@local_cuda//:headers"]),
        deps = deps,
        header = header,
        version_header = version_header,
        **kwargs
    )
