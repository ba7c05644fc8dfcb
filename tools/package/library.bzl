"""merged_library(): libraries of this tree, with all that they need of it and of Abseil, as one static archive and its headers.

For //tools:install, whose users have neither Bazel nor Abseil. Example:

    merged_library(name = "engine", deps = ["//benchmarks/harness/sampling:measure"])
"""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _archives(deps):
    info = cc_common.merge_cc_infos(cc_infos = [d[CcInfo] for d in deps])
    libraries = [l for i in info.linking_context.linker_inputs.to_list() for l in i.libraries]
    return [l.pic_static_library or l.static_library for l in libraries if l.pic_static_library or l.static_library]

def _installed(header):
    """The header's path below include/, or None for one that is another package's."""
    path = header.short_path
    if header.extension not in ["h", "inc"] or path.startswith("defs/build/"):
        return None
    if path.startswith("../"):
        return path.partition("/absl/")[2] and "absl/" + path.partition("/absl/")[2]
    return "assay/" + (path[len("benchmarks/harness/"):] if path.startswith("benchmarks/harness/") else path)

def _merged_library_impl(ctx):
    left_out = {a: True for a in _archives(ctx.attr.without)}
    archives = [a for a in _archives(ctx.attr.deps) if a not in left_out]
    merged = ctx.actions.declare_file("libassay_%s.a" % ctx.label.name)
    script = ["CREATE " + merged.path] + ["ADDLIB " + a.path for a in archives] + ["SAVE", "END"]
    ctx.actions.run_shell(
        outputs = [merged],
        inputs = archives,
        command = "printf '%s\\n' \"$@\" | ar -M && strip --strip-debug " + merged.path,
        arguments = script,
        mnemonic = "MergeArchives",
        use_default_shell_env = True,
    )
    headers = cc_common.merge_cc_infos(cc_infos = [d[CcInfo] for d in ctx.attr.deps]).compilation_context.headers.to_list()
    rows = ["%s\t%s\n" % (h.path, _installed(h)) for h in headers if _installed(h)]
    listed = ctx.actions.declare_file(ctx.label.name + ".headers")
    ctx.actions.write(listed, "".join(rows))
    return [
        DefaultInfo(files = depset([merged, listed] + headers)),
        cc_common.merge_cc_infos(cc_infos = [d[CcInfo] for d in ctx.attr.deps]),
    ]

merged_library = rule(
    implementation = _merged_library_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "without": attr.label_list(providers = [CcInfo], doc = "whose archive is linked, too: what it has is left out"),
    },
)
