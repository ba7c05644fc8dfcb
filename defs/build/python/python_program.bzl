"""python_program(): a Python module as a program for `tools/bazel run`, started like python_test()'s.

It replaces py_binary, whose start script in Bazel 4.2 needs a program called `python`, which Debian does not have.

Example:

    python_program(
        name = "upload",                              # tools/bazel run //tools/artifacts/upload -- --help
        module = "tools.artifacts.upload",            # python -m tools.artifacts.upload, in the runfiles
        site = "gcs_python",
        deps = [":uploader"],
    )
"""

def _python_program_impl(ctx):
    start = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.expand_template(
        template = ctx.file._start,
        output = start,
        is_executable = True,
        substitutions = {
            "@MODULE@": ctx.attr.module,
            "@PYTHON@": ctx.executable.python.short_path if ctx.attr.python else "python3",
            "@TARGET@": "//%s:%s" % (ctx.label.package, ctx.label.name),
            # The main repository's folder in runfiles: its name in WORKSPACE, else _main.
            "@WORKSPACE@": ctx.workspace_name,
        },
    )
    needed = ctx.attr.deps + ([ctx.attr.python] if ctx.attr.python else [])
    runfiles = ctx.runfiles(transitive_files = depset(transitive = [d[DefaultInfo].files for d in needed]))
    for d in needed:
        runfiles = runfiles.merge(d[DefaultInfo].default_runfiles).merge(d[DefaultInfo].data_runfiles)
    return [DefaultInfo(executable = start, runfiles = runfiles)]

_python_program = rule(
    implementation = _python_program_impl,
    attrs = {
        "deps": attr.label_list(allow_files = True),
        "module": attr.string(mandatory = True),
        "python": attr.label(executable = True, cfg = "target"),
        "_start": attr.label(default = "//defs/build/python:python_program.sh", allow_single_file = True),
    },
    executable = True,
)

def python_program(name, module, deps, site = "", **kwargs):
    """Makes :<name>, which runs a module in its runfiles.

    Args:
      name: of the program.
      module: the argument of python -m.
      deps: py_library targets, and other targets and files that the module needs.
      site: a repository made by python_site() (tools/deps); "" is the system's python3.
      **kwargs: as of any program.
    """
    _python_program(
        name = name,
        module = module,
        python = "@%s//:python" % site if site else None,
        deps = deps,
        **kwargs
    )
