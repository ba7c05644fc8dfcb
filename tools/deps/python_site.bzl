"""python_site(): a repository with a Python of pinned packages, and the parts that such rules are made of.

`@NAME//:python` is a program that starts this machine's CPython with the wheels given and nothing else: no distribution
packages, no user site. For tools that need a Python-only library; nothing that measures may depend on it. It is fetched
only when a target that needs it is built. A machine whose CPython has no wheels gets a target that is incompatible with
every platform: Bazel then leaves out what depends on it, the reason is printed, and tools/bazel repeats it after `test`.

Example:

    load("//tools/deps:gcs_wheels.bzl", "GCS_WHEELS")
    load("//tools/deps:python_site.bzl", "python_site")
    python_site(                                                # dependencies.bzl
        name = "gcs_python",
        imports = ["google.cloud.storage"],
        wheels = GCS_WHEELS,
    )

    tools/bazel run @gcs_python//:python -- -c 'from google.cloud import storage; print(storage.__version__)'

Not for torch: oracle_python.bzl, made of the same parts, adds what its wheel needs.
"""

load(":run_step.bzl", "run_step")
load(":wheels.bzl", "download_wheels", "pythons_of")

_BUILD = """
load("@rules_shell//shell:sh_binary.bzl", "sh_binary")

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

_LEFT_OUT_BUILD = """
load("@rules_shell//shell:sh_binary.bzl", "sh_binary")

package(default_visibility = ["//visibility:public"])

constraint_setting(name = "python_with_wheels")

# No platform has this.
constraint_value(
    name = "no_python_with_wheels",
    constraint_setting = ":python_with_wheels",
)

sh_binary(
    name = "python",
    srcs = ["bin/python"],
    target_compatible_with = [":no_python_with_wheels"],
)
"""

def _find_python(ctx, wanted):
    """(version, path) of an interpreter itself (not a version manager's shim) that is one of `wanted`, or None."""
    given = ctx.os.environ.get("ASSAY_PYTHON", "")
    candidates = [given] if given else ["/usr/bin/python" + v for v in wanted] + [ctx.which("python" + v) for v in wanted] + [ctx.which("python3")]
    here = {}
    for candidate in candidates:
        if not candidate or not ctx.path(candidate).exists:
            continue
        result = ctx.execute([candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2]); print(sys.executable)"])
        if not result.return_code:
            version, path = result.stdout.split("\n")[:2]
            here.setdefault(version, path)
    for version in wanted:
        if version in here:
            return version, here[version]
    return None

def _leave_out(ctx, wanted):
    reason = ("@%s and the tests that need it are left out: its wheels are for CPython %s, and none of these was found here; " +
              "install one, then --repo_env=ASSAY_PYTHON=/path/of/it") % (ctx.name, ", ".join(sorted(wanted)))
    print(reason)  # buildifier: disable=print
    ctx.file("left_out.txt", reason + "\n")
    ctx.file("bin/python", "#!/bin/sh\necho '%s' >&2; exit 2\n" % reason, executable = True)
    ctx.file("BUILD.bazel", _LEFT_OUT_BUILD)

def _check_pip(ctx):
    pip = ctx.execute([ctx.which("python3") or "false", "-m", "pip", "--version"])
    if pip.return_code:
        fail("@%s: no pip to download the wheels with: apt-get install python3-pip" % ctx.name)

def unpack_site(ctx, wheels, unpack):
    """Downloads the wheels and unpacks them into the folder `site` of the repository.

    Args:
      ctx: the repository_ctx.
      wheels: a table of wheels (wheels.bzl).
      unpack: path of unpack_oracle.py.

    Returns:
      (version, path) of the Python that the site is for; None where there is none, and the site is left out.
    """
    found = _find_python(ctx, pythons_of(wheels))
    if not found:
        _leave_out(ctx, pythons_of(wheels))
        return None
    version, python = found
    _check_pip(ctx)
    download_wheels(ctx, wheels, version, "wheels", "The packages have no other source.")
    run_step(ctx, "unpacking %d wheels" % len(wheels), [python, unpack, "site", "wheels"])
    ctx.delete("wheels")
    return found

def write_site_program(ctx, found, environment, check):
    """Makes @<name>//:python of an unpacked site.

    Args:
      ctx: the repository_ctx.
      found: what unpack_site() gave.
      environment: name -> value, set for every start.
      check: a Python statement that must work, e.g. "import torch".
    """
    version, python = found
    ctx.file("bin/python", _WRAPPER.format(
        environment = " ".join(["%s=%s" % item for item in sorted(environment.items())]),
        python = python,
        site = str(ctx.path("site").realpath),
        version = version,
    ), executable = True)

    # This also leaves their bytecode, without which torch starts 3 s later each time; images often set the variable to 1.
    run_step(ctx, "importing the packages once", [ctx.path("bin/python"), "-c", check], {"PYTHONDONTWRITEBYTECODE": ""})
    ctx.file("BUILD.bazel", _BUILD)

def _python_site_impl(ctx):
    found = unpack_site(ctx, json.decode(ctx.attr.wheels), ctx.path(ctx.attr._unpack))
    if found:
        write_site_program(ctx, found, ctx.attr.environment, "import " + ", ".join(ctx.attr.imports))

_python_site = repository_rule(
    implementation = _python_site_impl,
    attrs = {
        "environment": attr.string_dict(),
        "imports": attr.string_list(mandatory = True),
        "wheels": attr.string(mandatory = True, doc = "a table of wheels (wheels.bzl) as JSON"),
        "_unpack": attr.label(default = "//tools/deps:unpack_oracle.py"),
    },
    environ = ["ASSAY_PYTHON"],
    doc = "CPython with pinned wheels; see python_site().",
)

def python_site(name, wheels, imports, environment = {}):
    """Defines the repository @<name>; see the top of this file.

    Args:
      name: of the repository.
      wheels: a table of wheels (wheels.bzl) for x86-64 Linux.
      imports: modules that must be importable for the repository to be right.
      environment: name -> value, set for every start of the program.
    """
    _python_site(
        name = name,
        environment = environment,
        imports = imports,
        wheels = json.encode(wheels),
    )
