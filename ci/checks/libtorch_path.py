"""LibTorch from a folder of the user's, which LIBTORCH_PATH names: what cannot be used is said before anything is compiled."""

import os

from ci.check import Check


class LibtorchPath(Check):
    # In an output base of its own: another LIBTORCH_PATH would throw away the LibTorch that is unpacked.
    beside = True

    def setUp(self):
        super().setUp()
        self.bazel = self.own_bazel()

    def is_refused(self, path, *texts, libtorch="@libtorch"):
        self.expect([*self.bazel, "build", "--nobuild", libtorch + "//:libraries"], "LIBTORCH_PATH=" + path, *texts, code=1,
                    LIBTORCH_PATH=path)

    def test_bad_folders(self):
        """bad input: LIBTORCH_PATH to nonsense, of another version, and one without CUDA"""
        self.is_refused("/nonsense", "LIBTORCH_PATH=/nonsense holds no torch/lib/libtorch_cpu.so")
        site = os.path.join(self.scratch, "site")
        os.makedirs(os.path.join(site, "torch/lib"))
        self.write(os.path.join(site, "torch/lib/libtorch_cpu.so"), "")
        for version, text in [("2.10.0+cu126", "holds torch 2.10.0+cu126, not the pinned 2.11.0"),
                              ("2.11.0+cpu", "without torch/lib/libtorch_cuda.so, which --config=cuda needs")]:
            self.write(os.path.join(site, "torch/version.py"), "__version__ = '%s'\n" % version)
            self.is_refused(site, text, libtorch="@libtorch_cuda")

    def test_built_for_the_cpu(self):
        """LIBTORCH_PATH to a LibTorch that somebody built for the CPU: no folder nvidia lies beside it"""
        site = os.path.join(self.scratch, "site")
        for folder in ("torch/lib", "torch/include/ATen/ops", "torch/include/torch"):
            os.makedirs(os.path.join(site, folder))
        for name, text in {"lib/libtorch_cpu.so": "", "version.py": "__version__ = '2.11.0'\n",
                           "include/ATen/Tensor.h": "", "include/ATen/ops/add.h": "#include <ATen/Context.h>\n"}.items():
            self.write(os.path.join(site, "torch", name), text)
        self.expect([*self.bazel, "build", "--nobuild", "@libtorch//:libraries"], "Build completed", LIBTORCH_PATH=site)
