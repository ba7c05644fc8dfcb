"""model_family(): the one macro that a models/<family>/BUILD.bazel calls.

    :<family>       C++ library that registers the implementation; a runner links it
    :<family>_test  where there is a <family>_test.cc or `classifiers`
    :testdata       goldens.txt: what the other implementation says of each model, for benchmarks(goldens = â¦)

Example:

    model_family(name = "mlp", layers = ["core:linear"])
"""

load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")
load(":classifier_tests.bzl", "classifier_arguments")
load("//defs/build:copts.bzl", "COPTS")
load("//defs/build:tiers.bzl", "tier_tags")
load("//defs/build/precompiled:precompiled_header.bzl", "LIBTORCH_HEADERS", "TEST_LIBTORCH_HEADERS")

def model_family(name, layers = [], deps = [], test_deps = [], classifiers = [], **tried):
    """Makes the targets of a model family out of <name>.cc, <name>_test.cc, testdata/ and reference.py.

    Args:
      name: of the folder, the library and the C++ file.
      layers: targets of //models/layers that the code uses.
      deps: further C++ libraries.
      test_deps: further C++ libraries of the test.
      classifiers: MODELS of image classifiers, which the test tries.
      **tried: as of classifier_arguments() (classifier_tests.bzl).
    """
    cc_library(
        name = name,
        srcs = [name + ".cc"],
        hdrs = native.glob([name + ".h"], allow_empty = True),
        # Nothing refers to its symbols: linking it in registers the implementation.
        alwayslink = True,
        copts = COPTS + LIBTORCH_HEADERS.copts,
        linkstatic = True,
        visibility = ["//visibility:public"],
        deps = deps + LIBTORCH_HEADERS.deps + ["//models/layers" + ("/" if ":" in layer else ":") + layer for layer in layers] + [
            "//models:parameters",
            "//models:registry",
            "//models/layers/core:layered_model",
            "//tools/deps:torch",
            "@com_google_absl//absl/status",
            "@com_google_absl//absl/status:statusor",
            "@com_google_absl//absl/strings",
        ],
    )
    test_srcs = native.glob([name + "_test.cc"], allow_empty = True)
    if test_srcs or classifiers:
        cc_test(
            name = name + "_test",
            size = "small",
            srcs = test_srcs,
            args = classifier_arguments(classifiers, **tried),
            copts = COPTS + TEST_LIBTORCH_HEADERS.copts,
            tags = tier_tags(),
            deps = test_deps + TEST_LIBTORCH_HEADERS.deps + [
                ":" + name,
                "//models:model",
                "//models:parameters",
                "//models:registry",
                "//models/testing:seeded_model",
                "//tools/deps:torch",
                "@com_google_absl//absl/status",
                "//models/testing:image_classifier_main" if classifiers else "@com_google_googletest//:gtest_main",
            ],
        )
    native.filegroup(
        name = "testdata",
        srcs = native.glob(["testdata/goldens.txt"], allow_empty = True),
        visibility = ["//visibility:public"],
    )
    native.exports_files(native.glob(["reference.py"], allow_empty = True))
