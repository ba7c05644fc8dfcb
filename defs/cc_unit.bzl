"""cc_unit(): a C++ library of one header, one source and one test, which is what most of this tree's code is.

Example:

    cc_unit(
        name = "signed_rank",                              # signed_rank.cc, signed_rank.h
        deps = ["@com_google_absl//absl/types:span"],
        test_deps = [":student"],                          # signed_rank_test.cc: the library, GoogleTest's main, and these
    )

makes :signed_rank and :signed_rank_test, both with the compiler flags of copts.bzl. A library without a test says
`test = False`, so that a test cannot vanish unseen. Not for what differs in more than this: cc_library(), cc_test().
"""

load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")
load(":copts.bzl", "COPTS")

def cc_unit(name, deps = [], srcs = None, hdrs = None, copts = COPTS, test = True, test_deps = [], test_data = [], test_size = "small", test_tags = [], **kwargs):
    """Makes :<name> and, unless `test` is False, :<name>_test.

    Args:
      name: of the library; its files are named after it.
      deps: of the library.
      srcs: <name>.cc where not given; [] for a library of headers.
      hdrs: <name>.h where not given.
      copts: of the library.
      test: whether there is a <name>_test.cc.
      test_deps: what the test needs besides the library and GoogleTest's main().
      test_data: files that the test reads.
      test_size: as of any test.
      test_tags: as of any test.
      **kwargs: more arguments of the library, e.g. testonly.
    """
    if not test and (test_deps or test_data):
        fail("cc_unit(name = %r): test = False, but there are test_deps or test_data; take one of them away" % name)
    cc_library(
        name = name,
        srcs = [name + ".cc"] if srcs == None else srcs,
        hdrs = [name + ".h"] if hdrs == None else hdrs,
        copts = copts,
        # Else `...` makes a shared library of it too, and compiles everything a second time for that.
        linkstatic = True,
        deps = deps,
        **kwargs
    )
    if test:
        cc_test(
            name = name + "_test",
            size = test_size,
            srcs = [name + "_test.cc"],
            copts = COPTS,
            data = test_data,
            tags = test_tags,
            deps = [":" + name, "@com_google_googletest//:gtest_main"] + test_deps,
        )
