"""python_site(): a repository with a Python of pinned packages, and the parts that such rules are made of.

`@NAME//:python` is a program that starts Python 3.11 with the wheels given and nothing else: no distribution packages,
no user site. For tools that need a Python-only library; nothing that measures may depend on it. It is fetched only when
a target that needs it is built.

Example:

    load("//tools/deps:gcs_wheels.bzl", "GCS_WHEELS")
    load("//tools/deps:python_site.bzl", "python_site")
    python_site(                                                # WORKSPACE
        name = "gcs_python",
        imports = ["google.cloud.storage"],
        wheels = GCS_WHEELS,
    )

    tools/bazel run @gcs_python//:python -- -c 'from google.cloud import storage; print(storage.__version__)'

Not for torch: oracle_python.bzl, made of the same parts, adds what its wheel needs.
"""

load(":versions.bzl", "LIBTORCH_PYTHON")
load(":wheels.bzl", "download_wheels")

_BUILD = """
package(default_visibility = ["//visibility:public"])

sh_binary(name = "python", srcs = ["bin/python"])
"""

# PYTHONPATH with -S: only the site and the standard library. The script's own folder comes first, as always.
_WRAPPER = """#!/bin/sh
# Python {version} with the pinned packages of one repository and nothing else. Made by tools/deps/python_site.bzl.
unset PYTHONHOME PYTHONSTARTUP PYTHONINSPECT LD_LIBRARY_PATH LD_PRELOAD
export PYTHONPATH={site} PYTHONNOUSERSITE=1 PYTHONHASHSEED=0 {environment}
exec {python} -s -S "$@"
"""

def _find_python(ctx):
    """The interpreter itself (not a version manager's shim), or an error that says what to install."""
    for candidate in [ctx.path("/usr/bin/python" + LIBTORCH_PYTHON), ctx.which("python" + LIBTORCH_PYTHON), ctx.which("python3")]:
        if not candidate or not candidate.exists:
            continue
        result = ctx.execute([candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2]); print(sys.executable)"])
        lines = result.stdout.split("\n")
        if not result.return_code and lines[0] == LIBTORCH_PYTHON:
            return lines[1]
    fail(("@%s: no Python %s on this machine; its wheels are for that version. " +
          "Debian 12: apt-get install python3; elsewhere put a python%s on PATH.") %
         (ctx.name, LIBTORCH_PYTHON, LIBTORCH_PYTHON))

def _check_pip(ctx):
    pip = ctx.execute([ctx.which("python3") or "false", "-m", "pip", "--version"])
    if pip.return_code:
        fail("@%s: no pip to download the wheels with: apt-get install python3-pip" % ctx.name)

def run_step(ctx, what, arguments):
    """Runs a program of a repository rule; its complaint becomes the rule's error. Gives its standard output."""
    ctx.report_progress(what)
    result = ctx.execute(arguments, timeout = 3600)
    if result.return_code:
        fail("@%s: %s failed:\n%s" % (ctx.name, what, result.stderr or result.stdout))
    return result.stdout

def unpack_site(ctx, wheels, unpack):
    """Downloads the wheels and unpacks them into the folder `site` of the repository.

    Args:
      ctx: the repository_ctx.
      wheels: name -> (version, sha256).
      unpack: path of unpack_oracle.py.

    Returns:
      The path of the Python that the site is for.
    """
    python = _find_python(ctx)
    _check_pip(ctx)
    download_wheels(ctx, wheels, LIBTORCH_PYTHON, "wheels", "The packages have no other source.")
    run_step(ctx, "unpacking %d wheels" % len(wheels), [python, unpack, "site", "wheels"])
    ctx.delete("wheels")
    return python

def write_site_program(ctx, python, environment, check):
    """Makes @<name>//:python of an unpacked site.

    Args:
      ctx: the repository_ctx.
      python: what unpack_site() gave.
      environment: name -> value, set for every start.
      check: a Python statement that must work, e.g. "import torch".
    """
    ctx.file("bin/python", _WRAPPER.format(
        environment = " ".join(["%s=%s" % item for item in sorted(environment.items())]),
        python = python,
        site = str(ctx.path("site").realpath),
        version = LIBTORCH_PYTHON,
    ), executable = True)
    run_step(ctx, "importing the packages once", [ctx.path("bin/python"), "-c", check])
    ctx.file("BUILD.bazel", _BUILD)

def _python_site_impl(ctx):
    wheels = {name: (pin[0], pin[1]) for name, pin in ctx.attr.wheels.items()}
    python = unpack_site(ctx, wheels, ctx.path(ctx.attr._unpack))
    write_site_program(ctx, python, ctx.attr.environment, "import " + ", ".join(ctx.attr.imports))

_python_site = repository_rule(
    implementation = _python_site_impl,
    attrs = {
        "environment": attr.string_dict(),
        "imports": attr.string_list(mandatory = True),
        "wheels": attr.string_list_dict(mandatory = True),
        "_unpack": attr.label(default = "//tools/deps:unpack_oracle.py"),
    },
    doc = "Python 3.11 with pinned wheels; see python_site().",
)

def python_site(name, wheels, imports, environment = {}):
    """Defines the repository @<name>; see the top of this file.

    Args:
      name: of the repository.
      wheels: name -> (version, sha256 of the wheel for Python 3.11 on x86-64 Linux, or of the one for every machine).
      imports: modules that must be importable for the repository to be right.
      environment: name -> value, set for every start of the program.
    """
    _python_site(
        name = name,
        environment = environment,
        imports = imports,
        wheels = {package: list(pin) for package, pin in wheels.items()},
    )
