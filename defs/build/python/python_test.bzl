"""python_test(): a unittest file run by the system's python3.

It replaces py_test, whose start script in Bazel 4.2 needs a program called `python`, which Debian does not have.

Example:

    python_test(
        name = "plan_test",
        deps = [":generator"],
    )
"""

load("@rules_shell//shell:sh_test.bzl", "sh_test")
load("//defs/build:tiers.bzl", "tier_tags")

def python_test(name, deps, data = [], oracle = False, site = "", size = "small", tags = [], file = "", args = []):
    """Runs <name>.py of this package, or `file`, as a module, in its runfiles.

    Args:
      name: of the test and, with .py, of its file.
      deps: py_library targets.
      data: other files that the test reads.
      oracle: run it by @oracle_python, which is large to fetch; the test is then manual.
      site: run it by the Python of this repository, made by python_site() (tools/deps); small enough not to be manual.
      size: as of any test.
      tags: as of any test.
      file: for several tests out of one file, its name without .py.
      args: what that file gets on its command line.
    """
    file = file or name
    module = (native.package_name() + "/" + file).replace("/", ".")
    site = "oracle_python" if oracle else site
    sh_test(
        name = name,
        size = size,
        srcs = ["//defs/build/python:python_test.sh"],
        args = ["$(rootpath @%s//:python)" % site if site else "python3", module] + args,
        data = [file + ".py"] + data + deps + (["@%s//:python" % site] if site else []),
        # A site lies in Bazel's folder of this machine.
        tags = tags + tier_tags() + (["manual"] if oracle else []) + (["no-remote-exec"] if site else []),
    )
