"""@assay_families//:families.bzl: every package of this tree that calls benchmarks(), found and not listed by hand.

Bazel 4 cannot watch a folder from a repository rule. There tools/bazel, which every command passes, puts the same
listing into ASSAY_FAMILIES, whose change makes the rule run again. Bazel 7 watches the tree itself.
"""

def _families_impl(ctx):
    root = ctx.path(Label("//:WORKSPACE")).dirname
    if hasattr(ctx, "watch_tree"):
        for folder in ctx.attr.watched:
            ctx.watch_tree(root.get_child(folder))
    result = ctx.execute([ctx.path(ctx.attr._find), str(root)])
    if result.return_code:
        fail("@%s: %s" % (ctx.name, result.stderr))
    packages = ["//" + line for line in result.stdout.split("\n") if line]
    ctx.file("BUILD.bazel", "")
    ctx.file("families.bzl", '"""Packages that call benchmarks()."""\nFAMILIES = %r\n' % packages)

families = repository_rule(
    implementation = _families_impl,
    attrs = {
        "watched": attr.string_list(default = ["benchmarks"], doc = "top folders that Bazel 7 watches for new families"),
        "_find": attr.label(default = "//tools/deps:find_families.sh"),
    },
    environ = ["ASSAY_FAMILIES"],
    local = True,
)
