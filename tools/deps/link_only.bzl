"""link_only(): a library's linker flags and runfiles without its include folders. The runfiles are inputs of the linker, too, so
that a worker elsewhere (docs/machines.md) has what the flags name.

A library of another repository adds that repository's folder to the compiler's command line, with or without a header. Of two
libraries that select() chooses between, it would have everything compiled again.
"""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _link_only_impl(ctx):
    runfiles = cc_common.create_linker_input(owner = ctx.label, additional_inputs = ctx.attr.dep[DefaultInfo].default_runfiles.files)
    return [
        CcInfo(linking_context = cc_common.create_linking_context(
            linker_inputs = depset([runfiles], transitive = [ctx.attr.dep[CcInfo].linking_context.linker_inputs]),
        )),
        DefaultInfo(runfiles = ctx.attr.dep[DefaultInfo].default_runfiles),
    ]

link_only = rule(
    implementation = _link_only_impl,
    attrs = {"dep": attr.label(mandatory = True, providers = [CcInfo])},
)
