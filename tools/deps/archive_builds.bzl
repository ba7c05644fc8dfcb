"""BUILD files for the source archives, in the place of their own: each archive as a few compilations.

Almost all of a compiler's time with these sources goes into the headers that they share: Abseil's 97 files take 15 s of a
processor as one unit with three files beside it, and 29 s as a unit for each folder. So the archives' own BUILD files are
deleted, and each of Abseil's labels, e.g. @com_google_absl//absl/strings:cord, is the whole library.
Left out: absl/random, which nothing here uses and which needs compiler flags of its own, and everything for tests.
"""

load(":run_step.bzl", "run_step")

_LOAD = """load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])
"""

_ABSEIL = _LOAD + """
cc_library(
    name = "absl",
    srcs = glob(["unity/*.cc"]),
    hdrs = {headers},
    linkopts = ["-pthread"],
    linkstatic = True,
    textual_hdrs = {sources},
)
"""

_ABSEIL_PACKAGE = _LOAD + """
filegroup(name = "unity_headers", srcs = glob(["**/*.h", "**/*.inc"]))

filegroup(name = "unity_sources", srcs = glob(["**/*.cc"], allow_empty = True))

[cc_library(name = name, deps = ["//:absl"]) for name in {names}]
"""

_BENCHMARK = _LOAD + """
cc_library(
    name = "benchmark",
    srcs = ["unity/benchmark.cc"] + glob(["src/*.h"]),
    hdrs = glob(["include/benchmark/*.h"]),
    defines = ["BENCHMARK_STATIC_DEFINE"],
    linkopts = ["-pthread"],
    linkstatic = True,
    strip_include_prefix = "include",
    textual_hdrs = glob(["src/*.cc"]),
)

cc_library(
    name = "benchmark_main",
    srcs = ["src/benchmark_main.cc"],
    deps = [":benchmark"],
)
"""

_GOOGLETEST = _LOAD + """
cc_library(
    name = "gtest",
    srcs = ["googletest/src/gtest-all.cc", "googlemock/src/gmock-all.cc"],
    hdrs = glob(["*/include/**/*.h", "*/src/*.h"]),
    includes = ["googletest/include", "googletest", "googlemock/include", "googlemock"],
    linkopts = ["-pthread"],
    textual_hdrs = glob(["*/src/*.cc"]),
)

cc_library(
    name = "gtest_main",
    srcs = ["googlemock/src/gmock_main.cc"],
    deps = [":gtest"],
)
"""

# Of Abseil: not for programs.
_NOT_COMPILED = "_test|test_|testing|benchmark|mock|scoped_set_env|stack_consumption|print_hash_of|pow10_helper|^absl/random/"

# Each defines a name in its unnamed namespace that another file defines too.
_ALONE = [
    "absl/strings/internal/charconv_parse.cc",
    "absl/time/internal/cctz/src/time_zone_fixed.cc",
    "absl/time/time.cc",
]

def _unity(ctx, name, sources):
    ctx.file("unity/%s.cc" % name, "".join(['#include "%s"\n' % source for source in sources]))

def _abseil(ctx):
    found = run_step(ctx, "listing Abseil's files", ["sh", "-c", "find absl -name '*.cc' | grep -vE '%s' | sort" % _NOT_COMPILED])
    for source in _ALONE:
        _unity(ctx, source.replace("/", "_")[:-len(".cc")], [source])
    _unity(ctx, "absl", [source for source in found.split("\n") if source and source not in _ALONE])
    files = run_step(ctx, "listing Abseil's packages", ["sh", "-c", "find absl -mindepth 2 -name BUILD.bazel"]).strip().split("\n")
    for file in files:
        names = [text.split('"')[1] for text in ctx.read(file).split("cc_library(\n    name = ")[1:]]
        ctx.file(file, _ABSEIL_PACKAGE.format(names = names))
    packages = ["//" + file[:-len("/BUILD.bazel")] for file in files]
    ctx.delete("absl/BUILD.bazel")
    ctx.file("BUILD.bazel", _ABSEIL.format(
        headers = [package + ":unity_headers" for package in packages],
        sources = [package + ":unity_sources" for package in packages],
    ))

def _benchmark(ctx):
    sources = run_step(ctx, "listing Google Benchmark's files", ["sh", "-c", "find src -name '*.cc' ! -name benchmark_main.cc | sort"])
    _unity(ctx, "benchmark", sources.strip().split("\n"))
    ctx.file("BUILD.bazel", _BENCHMARK)

def _googletest(ctx):
    ctx.file("BUILD.bazel", _GOOGLETEST)

_WRITERS = {
    "com_github_google_benchmark": _benchmark,
    "com_google_absl": _abseil,
    "com_google_googletest": _googletest,
}

def write_build_files(ctx, name):
    """Writes the BUILD files of the archive that is unpacked in the repository.

    Args:
      ctx: of the repository rule.
      name: of the archive, a key of versions.bzl's ARCHIVES.
    """
    _WRITERS[name](ctx)
