"""The CUDA flavour compiles and links; a machine without a GPU gets NO_DEVICE, exit code 2, and never a pass."""

import os

from ci.check import BAZEL, Check

_FOLDER = "//benchmarks/harness/sampling/cuda"
_TOOLKIT = os.environ.get("CUDA_PATH") or "/usr/local/cuda"


class Cuda(Check):
    def test_flavour(self):
        """the CUDA flavour builds, and says NO_DEVICE without a GPU"""
        if not os.access(os.path.join(_TOOLKIT, "bin/nvcc"), os.X_OK):
            self.skipTest("no nvcc in %s/bin" % _TOOLKIT)
        gpu_tests = [_FOLDER + ":cuda_device_gpu_test", _FOLDER + ":torch_framework_gpu_test"]
        self.expect([BAZEL, "build", "--config=cuda", "//benchmarks/mlp:mlp_fp32_b1", *gpu_tests])
        self.expect([BAZEL, "test", "--config=cuda", _FOLDER + ":cuda_device_test"])
        run = ["bazel-bin/benchmarks/mlp/mlp_fp32_b1", "--budget=0.05"]
        if os.path.exists("/dev/nvidia0"):
            self.expect(run)
        else:
            self.expect(run, "NO_DEVICE", code=2)
