"""python_program(): a Python module as a program for `tools/bazel run`, started like python_test()'s.

Not py_binary: the start script that Bazel 4.2 makes for it asks for a program called `python`, which Debian lacks.

Example:

    python_program(
        name = "upload",                              # tools/bazel run //tools/artifacts/upload -- --help
        module = "tools.artifacts.upload",            # python -m tools.artifacts.upload, in the runfiles
        site = "gcs_python",
        deps = [":uploader"],
    )
"""

def python_program(name, module, deps, site = "", **kwargs):
    """Makes :<name>, which runs a module in its runfiles.

    Args:
      name: of the program.
      module: what python -m gets.
      deps: py_library targets.
      site: a repository made by python_site() (tools/deps); "" is the system's python3.
      **kwargs: as of any sh_binary.
    """
    python = "../%s/bin/python" % site if site else "python3"
    native.genrule(
        name = name + "_start",
        srcs = ["//defs/python:python_program.sh"],
        outs = [name + ".sh"],
        cmd = "sed -e 's|@PYTHON@|%s|' -e 's|@MODULE@|%s|' -e 's|@TARGET@|//%s:%s|' $< > $@" %
              (python, module, native.package_name(), name),
        testonly = kwargs.get("testonly", False),
        visibility = ["//visibility:private"],
    )
    native.sh_binary(
        name = name,
        srcs = [name + ".sh"],
        data = deps + (["@%s//:python" % site] if site else []),
        **kwargs
    )
