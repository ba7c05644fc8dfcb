"""Back ends whose libraries come out of wheels, which no test of //... fetches (24 and 59 MB)."""

from ci.check import BAZEL, Check


class Backends(Check):
    def test_runtimes(self):
        """back ends: onnxruntime and openvino compute what an ONNX file says, and refuse what is none"""
        self.expect([BAZEL, "test", "--noshow_progress", "//benchmarks/backends:foreign_runtimes_test"])
