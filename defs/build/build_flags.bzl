"""build_flags(): what this build was called with, for a program that calls Bazel again.

    build_flags(name = "flags")   # flags.inc: the C++ literal "--config=cuda --//benchmarks/backends=//my:lib"
"""

load(":cuda.bzl", "if_cuda")

_NONE = "//benchmarks/backends:none"

def _build_flags_impl(ctx):
    flags = [ctx.attr.config] if ctx.attr.config else []
    backends = str(ctx.attr._backends.label).lstrip("@")
    if backends != _NONE:
        flags.append("--//benchmarks/backends=" + backends)
    out = ctx.actions.declare_file(ctx.label.name + ".inc")
    ctx.actions.write(out, "\"%s\"\n" % " ".join(flags))
    return [DefaultInfo(files = depset([out]))]

_build_flags = rule(
    implementation = _build_flags_impl,
    attrs = {
        "config": attr.string(),
        "_backends": attr.label(default = "//benchmarks/backends"),
    },
)

def build_flags(name):
    """Makes :<name>, the file <name>.inc."""
    _build_flags(name = name, config = if_cuda("--config=cuda", ""))
