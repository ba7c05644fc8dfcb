"""precompiled_header(): other people's headers, read by the compiler once and not for each file that includes them.

LibTorch's headers are most of what the compiler reads for a file of models/: with them precompiled swin.cc takes 2.3 s in place
of 5.6. cc_unit() and model_family() use them; another library that includes LibTorch adds both of

    copts = COPTS + LIBTORCH_HEADERS.copts,
    deps = [...] + LIBTORCH_HEADERS.deps,

and a test TEST_LIBTORCH_HEADERS, since tests have compiler flags of their own (tools/common.bazelrc). Nothing may rely on what the
header includes: a file still includes what it names and depends on it, and ci/includes.py and clang-tidy, which read files
without it, check that. GCC passes over a precompiled header that was made with other flags; -Winvalid-pch, which
--config=strict has, then says why. The five headers take 1.3 GB of disk.
"""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _use(package, name):
    return struct(copts = ["-include", "%s/%s.h" % (package, name)], deps = ["//%s:%s" % (package, name)])

COMMON_HEADERS = _use("defs/build/precompiled", "common_headers")
TEST_COMMON_HEADERS = _use("defs/build/precompiled", "test_common_headers")
LIBTORCH_HEADERS = _use("tools/deps", "libtorch_headers")
TEST_LIBTORCH_HEADERS = _use("tools/deps", "test_libtorch_headers")
KERNEL_HEADERS = _use("tools/deps", "kernel_headers")  # of what is compiled with KERNEL_COPTS (copts.bzl)
NO_HEADERS = struct(copts = [], deps = [])

def _precompiled_header_impl(ctx):
    compiler = ctx.attr._compiler[cc_common.CcToolchainInfo]
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    if "clang" in compiler.compiler + compiler.compiler_executable:
        # clang's is another format with flags of its own; an empty header costs nothing.
        ctx.actions.write(header, "")
        return [CcInfo(compilation_context = cc_common.create_compilation_context(headers = depset([header])))]
    ctx.actions.write(header, "".join(["#include %s\n" % (('"%s"' if "/" in name else "<%s>") % name) for name in ctx.attr.includes]))
    context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context

    # Bazel 7 keeps folders of external repositories apart (--features=external_include_paths).
    system_includes = depset(transitive = [context.system_includes, getattr(context, "external_includes", depset())])
    precompiled = ctx.actions.declare_file(header.basename + ".gch")
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = compiler,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    compile = "c++-compile"
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = compiler,
        source_file = header.path,
        output_file = precompiled.path,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + ctx.attr.copts,
        include_directories = context.includes,
        quote_include_directories = context.quote_includes,
        system_include_directories = system_includes,
        preprocessor_defines = context.defines,
        use_pic = True,
    )
    flags = cc_common.get_memory_inefficient_command_line(feature_configuration = features, action_name = compile, variables = variables)
    ctx.actions.run(
        outputs = [precompiled],
        inputs = depset([header], transitive = [context.headers, compiler.all_files]),
        executable = cc_common.get_tool_for_action(feature_configuration = features, action_name = compile),
        arguments = ["-xc++-header"] + flags,
        env = cc_common.get_environment_variables(feature_configuration = features, action_name = compile, variables = variables),
        mnemonic = "CppPrecompile",
        progress_message = "Precompiling " + header.short_path,
    )

    # A file that includes the header includes what is in it, so Bazel wants that among the file's inputs as well.
    headers = depset([header, precompiled], transitive = [context.headers])
    return [CcInfo(compilation_context = cc_common.create_compilation_context(
        headers = headers,
        defines = context.defines,
        includes = context.includes,
        quote_includes = context.quote_includes,
        system_includes = system_includes,
    ))]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    attrs = {
        "copts": attr.string_list(doc = "flags of the files that include it, besides those of the command line"),
        "deps": attr.label_list(providers = [CcInfo], doc = "whose headers are included; not linked"),
        "includes": attr.string_list(mandatory = True),
        "_compiler": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    provides = [CcInfo],
)
