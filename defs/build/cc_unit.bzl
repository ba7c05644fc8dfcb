"""cc_unit(): a C++ library of one header, one source and one test, which is what most of this tree's code is.

Example:

    cc_unit(
        name = "signed_rank",                              # signed_rank.cc, signed_rank.h
        deps = ["@com_google_absl//absl/types:span"],
        test_deps = [":student"],                          # signed_rank_test.cc: the library, GoogleTest's main, and these
    )

    unity_build()                                          # once, as the last line of the BUILD file

makes :signed_rank and :signed_rank_test, both with the compiler flags of copts.bzl. A library without a test must say
`test = False`, so that no test can be lost unnoticed. Not for targets that differ in more than this: use cc_library()
and cc_test().

unity_build() has the compiler read several sources as one file, because most of its time goes into headers: the 40 sources of
benchmarks/harness/runner as one file take a fifth of the time. A package that _GUESTS names, a guest, is compiled with another
one, its host. With --config=apart each source is compiled by itself. It makes
    :unity, :unity_libtorch            the objects of the package's units, without and with LibTorch; each unit depends on one
    :unity_libtorch_<group>            those of the units that say `group = "<group>"`
    :unity_test, :unity_libtorch_test  all tests of the units, one program; `--test_filter=SignedRank.*` chooses. Those of a guest
                                       are in its host's program.
The sources of a package therefore share their unnamed namespaces: if two define the same name there, the compiler reports it.
:signed_rank_test compiles one file only and is `manual`, so it runs only by name; so is :signed_rank_alone, for
clang-tidy.
"""

load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")
load(":copts.bzl", "COPTS")
load(":tiers.bzl", "tier_tags")
load("//defs/build/precompiled:precompiled_header.bzl", "COMMON_HEADERS", "LIBTORCH_HEADERS", "NO_HEADERS", "TEST_COMMON_HEADERS", "TEST_LIBTORCH_HEADERS")

_TAG = "cc_unit"
_ALONE = "_alone"
_LIBTORCH = "libtorch"
_GROUP = "group="
_TORCH = "//tools/deps:torch"
TOGETHER = "unity"  # the tag of rules that compile several units: arrows.bzl, ci/arrows.py and ci/includes.py look at each unit
_UNITY = [TOGETHER, "no-clang-tidy"]

# GCC takes an included source for a header, and warns of its unnamed namespaces.
_UNITY_COPTS = ["-Wno-subobject-linkage"]

# Packages compiled with -O2 (tools/common.bazelrc), for which no header is precompiled, and those whose tests are, too.
_OPTIMIZED = ["benchmarks/harness/" + name for name in ["numerics", "sampling"]]
_OPTIMIZED_TESTS = ["benchmarks/harness/statistics"]

# Sources per compilation. With more, a change of one source takes longer; with fewer, headers are read more often.
_SOURCES = 30
_TESTS = 30

# Which package's rule compiles the units of another, by what unity_build() makes of them: they share most of the headers, and
# together take two thirds of the time. A guest must not depend on units of its host.
_RUNNER = "//benchmarks/harness/runner"
_GUESTS = {
    "//benchmarks/harness/checkpoints:unity": "//benchmarks/harness/tensor_files:unity",
    "//benchmarks/harness/checkpoints:unity_libtorch": _RUNNER + "/verdict:unity_libtorch",
    "//benchmarks/harness/costs:unity_libtorch": _RUNNER + "/verdict:unity_libtorch",
    "//benchmarks/harness/environment:unity_libtorch": _RUNNER + ":unity_libtorch",
    "//benchmarks/harness/environment/facts:unity": "//benchmarks/harness/environment:unity",
    "//benchmarks/harness/environment/machine:unity": "//benchmarks/harness/environment:unity",
    "//benchmarks/harness/profile:unity": "//benchmarks/harness/tensor_files:unity",
    "//benchmarks/harness/profile:unity_libtorch": _RUNNER + ":unity_libtorch",
    "//benchmarks/harness/sampling/device:unity": "//benchmarks/harness/sampling:unity",
    _RUNNER + "/given:unity": _RUNNER + ":unity",
    _RUNNER + "/given:unity_libtorch": _RUNNER + ":unity_libtorch",
    _RUNNER + "/measure:unity": _RUNNER + ":unity",
    _RUNNER + "/measure:unity_libtorch": _RUNNER + ":unity_libtorch",
    _RUNNER + "/vary:unity": _RUNNER + ":unity",
    _RUNNER + "/vary:unity_libtorch": _RUNNER + ":unity_libtorch",
    _RUNNER + "/verdict:unity": _RUNNER + ":unity",
    "//benchmarks/operators/sweep:unity": "//benchmarks/operators/param:unity",
    "//benchmarks/operators/sweep:unity_libtorch": "//benchmarks/operators/param:unity_libtorch",
    "//tools/kernel/report:unity": "//tools/kernel:unity",
    "//tools/kernel/request:unity": "//tools/kernel:unity",
}

def cc_unit(name, deps = [], srcs = None, hdrs = None, copts = COPTS, libtorch = False, visibility = None, linkopts = [], group = "", **kwargs):
    """Makes :<name> and, unless `test` is False, :<name>_test.

    Args:
      name: of the library; its files are named after it.
      deps: of the library.
      srcs: <name>.cc where not given; [] for a library of headers.
      hdrs: <name>.h where not given.
      copts: of the library, and of those that it is compiled with.
      libtorch: whether it needs LibTorch, however indirectly.
      visibility: of the library.
      linkopts: of the library.
      group: where the package has units that few programs need together, the name of those that are compiled with this one.
      **kwargs: test, test_deps, test_data, test_size, test_tags as of separate_cc_unit().
    """
    srcs = [name + ".cc"] if srcs == None else srcs
    hdrs = [name + ".h"] if hdrs == None else hdrs
    objects = [":" + _unity_name(libtorch, group)] if srcs else []
    cc_library(
        name = name,
        hdrs = hdrs,
        linkopts = linkopts,
        tags = ["no-clang-tidy"] if srcs else _tags(libtorch, group),
        visibility = visibility,
        deps = deps + objects,
    )
    if srcs:
        cc_library(
            name = name + _ALONE,
            testonly = True,
            srcs = srcs,
            hdrs = hdrs,
            copts = copts,
            linkstatic = True,
            tags = _tags(libtorch, group) + ["manual"],
            visibility = ["//visibility:private"],
            deps = deps,
        )
    _unit_test(name, libtorch = libtorch, **kwargs)

def separate_cc_unit(
        name,
        deps = [],
        srcs = None,
        hdrs = None,
        copts = COPTS,
        libtorch = False,
        test = True,
        test_deps = [],
        test_data = [],
        test_size = "small",
        test_tags = [],
        **kwargs):
    """As cc_unit(), but the library is compiled by itself: one that is `testonly` or `alwayslink`, or that few programs link.

    Args:
      name: as of cc_unit().
      deps: as of cc_unit().
      srcs: as of cc_unit().
      hdrs: as of cc_unit().
      copts: as of cc_unit().
      libtorch: as of cc_unit().
      test: whether there is a <name>_test.cc.
      test_deps: what the test needs besides the library and GoogleTest's main().
      test_data: files that the test reads.
      test_size: as of any test; one that is not small is a program of its own.
      test_tags: as of any test; one that has tags is a program of its own.
      **kwargs: more arguments of the library, e.g. testonly; the test of one that is alwayslink is a program of its own.
    """
    headers = NO_HEADERS if srcs == [] else _headers(libtorch or _TORCH in deps)
    cc_library(
        name = name,
        srcs = [name + ".cc"] if srcs == None else srcs,
        hdrs = [name + ".h"] if hdrs == None else hdrs,
        copts = copts + headers.copts,
        # Without it, `...` also makes a shared library and compiles everything a second time for it.
        linkstatic = True,
        deps = deps + headers.deps,
        **kwargs
    )
    _unit_test(name, libtorch, test, test_deps, test_data, test_size, test_tags, own = kwargs.get("alwayslink", False))

def cc_unit_test(name, deps, libtorch = False, data = []):
    """A test of units of other packages, <name>.cc, compiled with the tests of this package's units.

    Args:
      name: of the test.
      deps: what it needs besides GoogleTest's main().
      libtorch: as of cc_unit().
      data: files that it reads.
    """
    headers = _headers(libtorch, test = True)
    cc_test(
        name = name,
        size = "small",
        srcs = [name + ".cc"],
        copts = COPTS + headers.copts,
        data = data,
        tags = _tags(libtorch) + ["manual"],
        deps = ["@com_google_googletest//:gtest_main"] + headers.deps + deps,
    )

def unity_build():
    """Makes :unity, :unity_libtorch, :unity_test and :unity_libtorch_test of the package's units, each where there are any."""
    units = [rule for rule in native.existing_rules().values() if _TAG in rule["tags"]]
    for rule in units:
        for label in rule["deps"] if _LIBTORCH not in rule["tags"] else []:
            if label == _TORCH:
                fail("%s depends on LibTorch: say libtorch = True" % rule["name"].replace(_ALONE, ""))
    plain = [":" + rule["name"].replace(_ALONE, "") for rule in units if rule["kind"] == "cc_library" and _LIBTORCH not in rule["tags"]]
    for libtorch in [False, True]:
        chosen = [rule for rule in units if (_LIBTORCH in rule["tags"]) == libtorch]
        groups = {}
        for rule in [rule for rule in chosen if rule["kind"] == "cc_library"]:
            groups.setdefault(([tag[len(_GROUP):] for tag in rule["tags"] if tag.startswith(_GROUP)] + [""])[0], []).append(rule)
        for group, libraries in groups.items():
            if [rule for rule in libraries if rule["srcs"]]:
                _unity_library(_unity_name(libtorch, group), libraries, _headers(libtorch), plain if libtorch else [])
        _unity_test(_unity_name(libtorch), [rule for rule in chosen if rule["kind"] == "cc_test"], [_LIBTORCH] if libtorch else [])

def _headers(libtorch, test = False):
    """The precompiled headers for a library or a test."""
    if [package for package in (_OPTIMIZED_TESTS if test else _OPTIMIZED) if native.package_name().startswith(package)]:
        return NO_HEADERS
    if libtorch:
        return TEST_LIBTORCH_HEADERS if test else LIBTORCH_HEADERS
    return TEST_COMMON_HEADERS if test else COMMON_HEADERS

def _unity_name(libtorch, group = ""):
    return "unity" + ("_libtorch" if libtorch else "") + ("_" + group if group else "")

def _tags(libtorch, group = ""):
    return [_TAG] + ([_LIBTORCH] if libtorch else []) + ([_GROUP + group] if group else [])

def _unit_test(name, libtorch, test = True, test_deps = [], test_data = [], test_size = "small", test_tags = [], own = False):
    if not test and (test_deps or test_data):
        fail("cc_unit(name = %r): test = False, but there are test_deps or test_data; take one of them away" % name)
    if not test:
        return
    own = own or test_tags or test_size != "small"
    headers = _headers(libtorch, test = True)
    cc_test(
        name = name + "_test",
        size = test_size,
        srcs = [name + "_test.cc"],
        copts = COPTS + headers.copts,
        data = test_data,
        tags = test_tags + tier_tags() + ([_LIBTORCH] if libtorch else []) if own else _tags(libtorch) + ["manual"],
        deps = [":" + name, "@com_google_googletest//:gtest_main"] + headers.deps + test_deps,
    )

def _unity_library(name, units, headers, without_libtorch):
    host, guests, visibility = _together(name)
    sources = _all(units, "srcs")
    compiled = [file for file in sources if file.endswith(".cc")]
    own = {":" + unit["name"].replace(_ALONE, ""): True for unit in units}
    deps = {label: True for label in _all(units, "deps") if label not in own and not [1 for guest in guests if _is_of(label, guest)]}
    parts = dict(
        hdrs = _all(units, "hdrs") + [file for file in sources if file.endswith(".h")],
        tags = _UNITY,
        textual_hdrs = compiled,
        visibility = visibility,
    )
    if host:
        native.alias(name = name, actual = host, tags = _UNITY, visibility = ["//visibility:private"])
        native.filegroup(name = name + "_texts", srcs = compiled, visibility = visibility)

        # A rule that depends on a unit of this package without LibTorch gets this rule in its place, too.
        needed = [guest + "_interface" for guest in guests if [1 for label in _all(units, "deps") if _is_of(label, guest)]]
        cc_library(name = name + "_interface", deps = {label: True for label in deps.keys() + needed + without_libtorch}.keys(), **parts)
        return
    texts = [guest + "_texts" for guest in guests]
    cc_library(
        name = name,
        srcs = select({
            "//defs/build:compiled_apart": compiled + texts,
            "//conditions:default": _unity_sources(name, compiled, _SOURCES, texts),
        }),
        copts = _all(units, "copts") + _UNITY_COPTS + headers.copts,
        linkstatic = True,
        deps = deps.keys() + [guest + "_interface" for guest in guests] + headers.deps,
        **parts
    )

def _together(name):
    """(the rule that compiles the rule of this name, or None; the other guests there, or its own; who must see its parts)."""
    here = "//%s:%s" % (native.package_name(), name)
    host = _GUESTS.get(here)
    guests = [guest for guest, of in _GUESTS.items() if of == (host or here) and guest != here]
    return host, guests, ["//benchmarks:__subpackages__", "//tools/kernel:__subpackages__"] if host or guests else ["//visibility:private"]

def _is_of(label, unity):
    """Whether the label is of the package of that rule."""
    package = unity.split(":")[0]
    return label.startswith(package + ":") or label == package

def _unity_test(unity, tests, tags):
    host, guests, visibility = _together(unity)
    if not tests and not host:
        return
    name = unity + "_test"
    sources = _all(tests, "srcs")
    cc_library(
        name = name + "_sources",
        testonly = True,
        data = _all(tests, "data"),
        tags = _UNITY,
        textual_hdrs = sources,
        visibility = visibility,
        deps = _all(tests, "deps"),
    )
    if host:
        native.filegroup(name = name + "_texts", testonly = True, srcs = sources, visibility = visibility)
        if tests:
            native.test_suite(name = name, tags = _UNITY, tests = [host + "_test"])  # which has these tags
        return
    cc_test(
        name = name,
        size = "medium",
        srcs = _unity_sources(name, sources, _TESTS, [guest + "_test_texts" for guest in guests]),
        copts = _all(tests, "copts") + _UNITY_COPTS,
        tags = tags + tier_tags() + _UNITY,
        deps = [test + "_test_sources" for test in [":" + unity] + guests],
    )

def _all(rules, attribute):
    """The values of the rules' attribute, each once, in their order."""
    return {value: True for rule in rules for value in rule[attribute]}.keys()

def _unity_sources(name, sources, most, guests = []):
    """Makes <name>_1.cc, <name>_2.cc, …, with about equally many sources each, and returns their labels; the last has the guests'."""
    count = (len(sources) + most - 1) // most
    made = []
    for i in range(count):
        part = sources[i * len(sources) // count:(i + 1) * len(sources) // count] + (guests if i == count - 1 else [])
        _unity_source(name = "%s_%d" % (name, i + 1), srcs = part, tags = _UNITY, testonly = True if name.endswith("_test") else False)
        made.append(":%s_%d" % (name, i + 1))
    return made

def _unity_source_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.write(out, "".join(['#include "%s"  // IWYU pragma: keep\n' % file.short_path for file in ctx.files.srcs]))
    return [DefaultInfo(files = depset([out]))]

_unity_source = rule(
    implementation = _unity_source_impl,
    attrs = {"srcs": attr.label_list(allow_files = True)},
)
