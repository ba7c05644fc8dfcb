"""Every outside dependency with its version and digest: the one table to edit for an upgrade.

What Debian's package manager provides (tools/bazel names the packages) is not listed: protobuf 3.21, nlohmann-json,
Boost.Math, OpenSSL.
"""

# name -> (url, sha256, the same in Debian 12's source package: file name, sha256). Abseil's is packed anew there.
ARCHIVES = {
    "com_github_google_benchmark": (
        "https://github.com/google/benchmark/archive/refs/tags/v1.7.1.tar.gz",
        "6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7",
        "benchmark_1.7.1.orig.tar.gz",
        "6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7",
    ),
    "com_google_absl": (
        "https://github.com/abseil/abseil-cpp/archive/refs/tags/20220623.1.tar.gz",
        "91ac87d30cc6d79f9ab974c51874a704de9c2647c40f6932597329a282217ba8",
        "abseil_20220623.1.orig.tar.gz",
        "abfe2897f3a30edaa74bc34365afe3c2a3cd012091a97dc7e008f7016adcd5fe",
    ),
    "com_google_googletest": (
        "https://github.com/google/googletest/archive/refs/tags/release-1.12.1.tar.gz",
        "81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2",
        "googletest_1.12.1.orig.tar.gz",
        "81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2",
    ),
}

SKYLIB = (
    "https://github.com/bazelbuild/bazel-skylib/releases/download/1.6.1/bazel-skylib-1.6.1.tar.gz",
    "9f38886a40548c6e96c106b752f242130ee11aaa068a56ba7e56f4511f33e4f2",
)

# LibTorch as the Python package index ships it: a table of wheels (wheels.bzl), x86-64 Linux. The C++ side takes those of
# LIBTORCH_PYTHON whatever Python the machine has; the others are for @oracle_python.
# libtorch_cpu.so needs libcupti and libcudart of NVIDIA's wheels even where there is no GPU.
LIBTORCH_PYTHON = "3.11"
LIBTORCH_WHEELS = {
    "nvidia-cuda-cupti": ("13.0.85", "4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8"),
    "nvidia-cuda-runtime": ("13.0.96", "7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548"),
    "torch": ("2.11.0", {
        "3.10": "1b32ceda909818a03b112006709b02be1877240c31750a8d9c6b7bf5f2d8a6e5",
        "3.11": "7aa2f9bbc6d4595ba72138026b2074be1233186150e9292865e04b7a63b8c67a",
        "3.12": "0f68f4ac6d95d12e896c3b7a912b5871619542ec54d3649cf48cc1edd4dd2756",
        "3.13": "cc89b9b173d9adfab59fd227f0ab5e5516d9a52b658ae41d64e59d2e55a418db",
        "3.14": "4dc8b3809469b6c30b411bb8c4cad3828efd26236153d9beb6a3ec500f211a60",
    }),
}
WHEEL_PLATFORMS = ["manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_25_x86_64", "manylinux2014_x86_64"]
