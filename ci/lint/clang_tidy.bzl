"""clang_tidy: an aspect that has clang-tidy look at each C++ file of a target; //tools:lint asks for it.

    tools/bazel build --aspects=//ci/lint:clang_tidy.bzl%clang_tidy --output_groups=clang_tidy //benchmarks/harness/base:dtype

An action a file, so that Bazel runs again only what a change can reach, headers included, and as many at a time as it
compiles. Findings are the action's output and not its failure: they are kept like any result, and one does not hide
others. Only clang-tidy's own crash fails a build.

Other people's headers are given as the system's: clang-tidy then skips their declarations and finds nothing in them. What
remains is the time that clang takes to read LibTorch's headers.
"""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

_KINDS = ["cc_binary", "cc_library", "cc_test"]

# The first line names the file, so that a reader of the outputs knows what was looked at.
_RUN = """
echo "$FILE" >"$OUT"
if ! "$@" >>"$OUT" 2>"$OUT.log" && ! grep -q ' error: ' "$OUT"; then cat "$OUT" "$OUT.log" >&2; exit 1; fi
rm -f "$OUT.log"
"""

def _is_cc(file):
    return file.extension == "cc" and file.is_source

def _checked_files(ctx):
    """The target's own .cc files; if it has none its headers, because no other file may include them."""
    sources = [f for f in ctx.rule.files.srcs if _is_cc(f)]
    headers = [f for f in getattr(ctx.rule.files, "hdrs", []) if f.extension == "h" and f.is_source]
    return sources or headers

def _context(target, ctx):
    infos = [target[CcInfo]] if CcInfo in target else []
    infos += [dep[CcInfo] for dep in ctx.rule.attr.deps if CcInfo in dep]
    return cc_common.merge_cc_infos(cc_infos = infos).compilation_context

def _flags(ctx, context):
    own, others = [], []
    for folder in context.quote_includes.to_list() + context.includes.to_list() + context.system_includes.to_list():
        (others if "external/" in folder or folder.startswith("bazel-out/") else own).append(folder)
    flags = ctx.fragments.cpp.cxxopts + ["-DNDEBUG", "-w"]  # NDEBUG as -c opt defines it, tools/common.bazelrc
    for folder in own:
        flags += ["-iquote", folder]
    for folder in others:
        flags += ["-isystem", folder]
    for folder in ctx.attr._compiler[cc_common.CcToolchainInfo].built_in_include_directories:
        flags += ["-idirafter", folder]  # GCC's own, such as sanitizer/asan_interface.h, which clang-tidy's wheel lacks
    defines = context.defines.to_list() + getattr(ctx.rule.attr, "local_defines", [])
    return flags + ["-D" + define for define in defines]

def _clang_tidy_impl(target, ctx):
    if ctx.rule.kind not in _KINDS or target.label.workspace_name or "no-clang-tidy" in ctx.rule.attr.tags:
        return []
    context = _context(target, ctx)
    flags = _flags(ctx, context)
    outputs = []
    for file in _checked_files(ctx):
        out = ctx.actions.declare_file("_clang_tidy/%s/%s.txt" % (target.label.name, file.basename))
        ctx.actions.run_shell(
            inputs = depset([file, ctx.file._config] + ctx.rule.files.srcs, transitive = [context.headers]),
            outputs = [out],
            tools = [ctx.file._program] + ctx.files._files,
            command = _RUN,
            arguments = [ctx.file._program.path, "--quiet", "--config-file=" + ctx.file._config.path, file.path, "--", "-xc++"] + flags,
            env = {"FILE": file.path, "OUT": out.path, "PATH": "/usr/bin:/bin"},
            mnemonic = "ClangTidy",
            progress_message = "clang-tidy " + file.short_path,
            # LibTorch's 10,000 headers would be linked into a sandbox for each file; the compiler's own sandbox has
            # shown already that none is missing among the inputs.
            execution_requirements = {"no-sandbox": "1"},
        )
        outputs.append(out)
    return [OutputGroupInfo(clang_tidy = depset(outputs))]

clang_tidy = aspect(
    implementation = _clang_tidy_impl,
    attrs = {
        "_compiler": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
        "_config": attr.label(default = "//:.clang-tidy", allow_single_file = True),
        "_files": attr.label(default = "@lint_clang_tidy//:files"),
        "_program": attr.label(default = "@lint_clang_tidy//:program", allow_single_file = True),
    },
    fragments = ["cpp"],
)
