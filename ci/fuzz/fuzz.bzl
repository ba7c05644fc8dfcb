"""fuzz_target(): feeds a reader of outside bytes with hostile input, as a test of seconds and as a fuzzer without end.

A target's source defines libFuzzer's entry point and calls a property (ci/fuzz/property.h) where crashing is
not the only way to be wrong:

    extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

Example:

    fuzz_target(
        name = "npy",
        srcs = ["npy.cc"],
        corpus = glob(["corpus/npy/*"]),
        deps = ["//benchmarks/harness/tensor_files/numpy:npy"],
    )

makes
  :npy_fuzz_test    an ordinary test: the whole corpus, then the same seeded mutations of it every time. With --config=asan,
                    as in CI, also the address and undefined-behaviour sanitizers watch (g++ has them; clang is not needed);
  :npy_libfuzzer    the same source for clang's libFuzzer; ci/fuzz/run.sh builds and runs it.

A finding is an input: put the file that the log names into corpus/<target>/ and it is a regression test for ever.
Not for code that calls LibTorch, whose libraries are not instrumented.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")
load("//defs/build:copts.bzl", "COPTS")
load("//defs/build:tiers.bzl", "tier_tags")

def fuzz_target(name, srcs, deps, corpus, mutations = 20000, size = "small"):
    """See the head of this file.

    Args:
      name: of what is read; corpus/<name>/ holds its files.
      srcs: the source with LLVMFuzzerTestOneInput.
      deps: what it reads with.
      corpus: files, each one input.
      mutations: how many the test tries; seconds, not minutes.
      size: of the test.
    """
    if not corpus:
        fail("fuzz_target(name = %r): the corpus is empty; give at least one good and one bad file" % name)
    cc_library(
        name = name + "_entry",
        testonly = True,
        srcs = srcs,
        copts = COPTS,
        linkstatic = True,
        tags = ["manual"],
        deps = deps + ["//ci/fuzz:property"],
        alwayslink = True,
    )
    cc_test(
        name = name + "_fuzz_test",
        size = size,
        args = ["--mutations=%d" % mutations, native.package_name() + "/corpus/" + name],
        data = corpus,
        # Has one thread, and a limit on memory in which the thread sanitizer does not start.
        tags = ["fuzz", "no-tsan"] + tier_tags(),
        deps = [":" + name + "_entry", "//ci/fuzz:replay"],
    )

    # manual: links with clang and --config=fuzz only.
    cc_binary(
        name = name + "_libfuzzer",
        testonly = True,
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["manual"],
        deps = [":" + name + "_entry"],
    )
