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
LIBTORCH_MEGABYTES = struct(fetched = 544, unpacked = 499)
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

# The same release for 64-bit Arm. References are not computed there, so it is the wheel of LIBTORCH_PYTHON alone.
AARCH64_MEGABYTES = struct(fetched = 433, unpacked = 338)
AARCH64_WHEELS = {
    "nvidia-cuda-cupti": ("13.0.85", "796bd679890ee55fb14a94629b698b6db54bcfd833d391d5e94017dd9d7d3151"),
    "nvidia-cuda-runtime": ("13.0.96", "ef9bcbe90493a2b9d810e43d249adb3d02e98dd30200d86607d8d02687c43f55"),
    "torch": (LIBTORCH_WHEELS["torch"][0], "d91aac77f24082809d2c5a93f52a5f085032740a1ebc9252a7b052ef5a4fddc6"),
}

# Other releases that the C++ side can be built with, on the CPU: ASSAY_LIBTORCH=2.10.0 tools/bazel ... (libtorch.bzl). The
# references stay those of LIBTORCH_WHEELS' torch.
_CUDA_12_8 = {
    "nvidia-cuda-cupti-cu12": ("12.8.90", "ea0cb07ebda26bb9b29ba82cda34849e73c166c18162d3913575b0c9db9a6182"),
    "nvidia-cuda-runtime-cu12": ("12.8.90", "adade8dcbd0edf427b7204d480d6066d33902cab2a4707dcfc48a2d0fd44ab90"),
}
OTHER_LIBTORCHES = {
    "2.10.0": dict(_CUDA_12_8, torch = ("2.10.0", "ac5bdcbb074384c66fa160c15b1ead77839e3fe7ed117d667249afce0acabfac")),
    "2.15.0": {
        "nvidia-cuda-cupti": ("13.2.86", "8fa29f15dd8336181f961764d9d95236fc6b931dd0c8fcf8cd70aab0c310b586"),
        "nvidia-cuda-runtime": ("13.2.86", "3498247680dfddce31bad102af7e3e26fc795342a3cac64722bb0fa95e7f60f0"),
        "torch": ("2.15.0", "48c2d861134c0b5697c7602cb5ffa68f62a2989fdcd1717e593356f67996ca1e"),
    },
    "2.9.1": dict(_CUDA_12_8, torch = ("2.9.1", "d033ff0ac3f5400df862a51bdde9bad83561f3739ea0046e68f5401ebfa67c1b")),
}


# Kinds of Linux that a wheel may be for, by machine.
WHEEL_PLATFORMS = {
    machine: ["manylinux_2_%s_%s" % (glibc, machine) for glibc in ["28", "27", "25", "18"]] + ["manylinux2014_" + machine]
    for machine in ["aarch64", "x86_64"]
}

# The wheels that --config=cuda adds to LIBTORCH_WHEELS, for any Python 3: the NVIDIA wheels that torch 2.11.0's
# metadata requires (cuda-toolkit 13.0.2 with its extras, cuDNN, cuSPARSELt, NCCL, NVSHMEM), for machines with a GPU ...
LIBTORCH_CUDA_WHEELS = {
    "nvidia-cublas": ("13.1.0.3", "ee8722c1f0145ab246bccb9e452153b5e0515fd094c3678df50b2a0888b8b171"),
    "nvidia-cuda-nvrtc": ("13.0.88", "ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575"),
    "nvidia-cudnn-cu13": ("9.19.0.56", "d20e1734305e9d68889a96e3f35094d733ff1f83932ebe462753973e53a572bf"),
    "nvidia-cufft": ("12.0.0.61", "6c44f692dce8fd5ffd3e3df134b6cdb9c2f72d99cf40b62c32dde45eea9ddad3"),
    "nvidia-cufile": ("1.15.1.6", "08a3ecefae5a01c7f5117351c64f17c7c62efa5fffdbe24fc7d298da19cd0b44"),
    "nvidia-curand": ("10.4.0.35", "1aee33a5da6e1db083fe2b90082def8915f30f3248d5896bcec36a579d941bfc"),
    "nvidia-cusolver": ("12.0.4.66", "0a759da5dea5c0ea10fd307de75cdeb59e7ea4fcb8add0924859b944babf1112"),
    "nvidia-cusparse": ("12.6.3.3", "2b3c89c88d01ee0e477cb7f82ef60a11a4bcd57b6b87c33f789350b59759360b"),
    "nvidia-cusparselt-cu13": ("0.8.0", "25e30a8a7323935d4ad0340b95a0b69926eee755767e8e0b1cf8dd85b197d3fd"),
    "nvidia-nccl-cu13": ("2.28.9", "e4553a30f34195f3fa1da02a6da3d6337d28f2003943aa0a3d247bbc25fefc42"),
    "nvidia-nvjitlink": ("13.0.88", "13a74f429e23b921c1109976abefacc69835f2f433ebd323d3946e11d804e47b"),
    "nvidia-nvshmem-cu13": ("3.4.5", "290f0a2ee94c9f3687a02502f3b9299a9f9fe826e6d0287ee18482e78d495b80"),
    "nvidia-nvtx": ("13.0.85", "4936d1d6780fbe68db454f5e72a42ff64d1fd6397df9f363ae786930fd5c1cd4"),
}
LIBTORCH_CUDA_MEGABYTES = struct(fetched = 1969, unpacked = 2746)

# ... and, for machines without a CUDA toolkit, what nvcc needs to compile and link this tree.
CUDA_TOOLKIT_WHEELS = {
    "nvidia-cuda-crt": ("13.0.88", "2c8043c7c9e02492716426e9919fc78d2c5b3b2a7a768a88e952676b08aa55a4"),
    "nvidia-cuda-nvcc": ("13.0.88", "56fe502eb77625a12f25172caa3cdddb4e4c8ba2c8c17dba44b164761b380f03"),
    "nvidia-cuda-runtime": ("13.0.96", "7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548"),
    "nvidia-nvvm": ("13.0.88", "c5f41ffeb6466944a026dfa5317d7d85355c119bbec279205d22f1869d1054e0"),
}
CUDA_TOOLKIT_MEGABYTES = struct(fetched = 102, unpacked = 201)

# Runtimes that back ends open, and that of TVM-FFI kernels: the arguments of wheel_library(). Of OpenVINO the C interface, what reads ONNX, what computes
# on the CPU and, for machines of several sockets or kinds of cores, oneTBB's knowledge of them.
WHEEL_LIBRARIES = {
    "onnxruntime": {
        "version": "1.31.1",
        "members": {"onnxruntime/capi/libonnxruntime.so.1.31.1": "lib/libonnxruntime.so"},
        "sha256": "5752bd508126ae7c49894d3b9d2e83f0c3d487319246d04c444b393308d7ad7f",
    },
    "openvino": {
        "version": "2026.4.1",
        "members": {
            "openvino/include/openvino/c/": "include/openvino/c/",
            "openvino/libs/libhwloc.so.15": "lib/libhwloc.so.15",
            "openvino/libs/libopenvino.so.2641": "lib/libopenvino.so.2641",
            "openvino/libs/libopenvino_c.so.2641": "lib/libopenvino_c.so",
            "openvino/libs/libopenvino_intel_cpu_plugin.so": "lib/libopenvino_intel_cpu_plugin.so",
            "openvino/libs/libopenvino_onnx_frontend.so.2641": "lib/libopenvino_onnx_frontend.so.2641",
            "openvino/libs/libtbb.so.12": "lib/libtbb.so.12",
            "openvino/libs/libtbbbind_2_5.so.3": "lib/libtbbbind_2_5.so.3",
        },
        "sha256": "2d22b1da03f7caf74df30e9f6417d0ab2f637e4a38e08e1dcd294d2c37407aaf",
    },
    "tvm_ffi": {
        "package": "apache-tvm-ffi",
        "version": "0.1.15.post2",
        "members": {
            "tvm_ffi/include/dlpack/": "include/dlpack/",
            "tvm_ffi/include/tvm/": "include/tvm/",
            "tvm_ffi/lib/libtvm_ffi.so": "lib/libtvm_ffi.so",
        },
        "sha256": "8ecebe749834f6ac0f2693d5964acf9ac75d0bc26e6ba64c46eb7ab00ea50fac",
    },
}

# Libraries whose sources are a source package of Python: the arguments of source_package().
SOURCE_PACKAGES = {
    # MLCommons' load generator (Apache-2.0), 81 kB: for a case that is given --scenario.
    "loadgen": {
        "package": "mlcommons-loadgen",
        "version": "6.0.17",
        "sha256": "a2e85d09e3cc0c606f89bfe1fbf97537c8b5b238ae0afbd923ad9c710fcf2ca8",
        "sources": [
            "early_stopping.cc",
            "generated/version_generated.cc",
            "issue_query_controller.cc",
            "loadgen.cc",
            "logging.cc",
            "results.cc",
            "test_settings_internal.cc",
            "utils.cc",
            "version.cc",
        ],
    },
}
