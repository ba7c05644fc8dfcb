"""build_program(): a program of this tree that the build itself runs. Usually it is the one that users have, so that its libraries
are compiled once; a cross build (--config=aarch64) also compiles it for the machine that builds.

    build_program(
        name = "compile_cases_here",
        program = ":compile_cases",
    )
"""

def _compiled_here_impl(ctx):
    program = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(output = program, target_file = ctx.executable.program, is_executable = True)
    return [DefaultInfo(executable = program, runfiles = ctx.attr.program[DefaultInfo].default_runfiles)]

_compiled_here = rule(
    implementation = _compiled_here_impl,
    attrs = {"program": attr.label(mandatory = True, executable = True, cfg = "exec")},
    executable = True,
)

def build_program(name, program):
    """Makes :<name>; see the head of this file."""
    _compiled_here(name = name + "_exec", program = program, tags = ["manual"], visibility = ["//visibility:private"])
    native.alias(
        name = name,
        actual = select({"//defs/build:cross_enabled": ":" + name + "_exec", "//conditions:default": program}),
    )
