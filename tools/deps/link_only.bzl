"""link_only(): a library's linker flags and runfiles without its include folders.

A library of another repository adds that repository's folder to the compiler's command line, with or without a header. Of two
libraries that select() chooses between, it would have everything compiled again.
"""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _link_only_impl(ctx):
    return [
        CcInfo(linking_context = ctx.attr.dep[CcInfo].linking_context),
        DefaultInfo(runfiles = ctx.attr.dep[DefaultInfo].default_runfiles),
    ]

link_only = rule(
    implementation = _link_only_impl,
    attrs = {"dep": attr.label(mandatory = True, providers = [CcInfo])},
)
