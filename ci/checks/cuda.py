"""The CUDA flavour compiles and links, and its bundle is whole; without a GPU all of it says NO_DEVICE and never passes."""

import os
import re
import shutil
import tarfile

from ci.check import BAZEL, Check

_FOLDER = "//benchmarks/harness/sampling/cuda"
_BUNDLE = "ci/gpu_bundle.sh"
_HAS_GPU = os.path.exists("/dev/nvidia0")


class Cuda(Check):
    def test_flavour(self):
        """the CUDA flavour builds, and says NO_DEVICE without a GPU"""
        self.expect([BAZEL, "build", "--config=cuda", "//benchmarks/mlp:mlp_fp32_b1"])
        self.expect([BAZEL, "test", "--config=cuda", _FOLDER + ":cuda_device_test"])
        run = ["bazel-bin/benchmarks/mlp/mlp_fp32_b1", "--budget=0.05"]
        if _HAS_GPU:
            self.expect(run)
        else:
            self.expect(run, "NO_DEVICE", "install the NVIDIA driver", code=2)

    def test_remote(self):
        """each test that is tagged gpu asks a remote executor for a worker with one"""
        tagged = r'attr(tags, "[\[ ]gpu[,\]]", tests(//...))'

        def found(expression):
            return self.expect([BAZEL, "query", "--noshow_progress", expression]).stdout.split()

        self.assertIn(_FOLDER + ":cuda_device_gpu_test", found(tagged))
        self.assertEqual(found(tagged + ' except attr(exec_properties, "gpu", tests(//...))'), [])

    def test_bundle(self):
        """the GPU bundle is packed, its plans can be followed, and it is rehearsed on a simulated GPU in a folder without the tree"""
        packed = self.expect([_BUNDLE, "pack"], "gpu_runner")
        verified = re.search(r"(\d+) of them to verify by default", packed.stdout)[1]
        rehearsed = self.expect([_BUNDLE, "rehearse"], "REHEARSAL on a simulated GPU", code=2)
        # Steps that need no GPU are right; steps that need one say so, and so do libraries of a GPU's machine.
        self.assertNotRegex(rehearsed.stdout, r"(?m)^(FAIL|CRASH|TIMEOUT)")
        self.assertRegex(rehearsed.stdout, r"unit tests +\d+ NO_")
        for step, count in [("verdicts", 5), ("measured", 2), ("noise", 4), ("profile", 1)]:
            self.assertRegex(rehearsed.stdout, r"s  %s +%d PASS\n" % (step, count))
        # The peers are Python's: they need a python3 that has torch.
        self.assertRegex(rehearsed.stdout, r"s  peers +1 (PASS|NOT_RUN)\n")
        self.assertLessEqual(rehearsed.stdout.count("\nresult "), 8)
        listed = self.expect(["gpu_bundle/bundle/run.sh", "--list"]) if _HAS_GPU else self.expect([_BUNDLE, "run", "first", "--list"])
        self.assertRegex(listed.stdout, r"(?m)^first +430 s.*\n.*\nsecond +330 s")
        if not _HAS_GPU:
            out = os.path.join(self.scratch, "results")
            said = "verdicts     %s NO_DEVICE" % verified
            self.expect([_BUNDLE, "run", "first", "--out=" + out], said, "install it, version 580 or newer", code=2)

    def test_bundle_bad_input(self):
        """bad input: words that the GPU bundle does not know, and an archive that is cut off"""
        self.expect([_BUNDLE], "usage", code=3)
        self.expect([_BUNDLE, "pack", "mlp"], "takes no more words", code=3)
        self.expect([_BUNDLE, "run"], "which plan?", code=3)
        tree = os.path.join(self.scratch, "tree")
        for folder in ("ci", "gpu_bundle"):
            os.makedirs(os.path.join(tree, folder))
        shutil.copy(_BUNDLE, os.path.join(tree, "ci"))
        there = os.path.join(tree, _BUNDLE)
        self.expect([there, "run", "first"], "no gpu_bundle/bundle.tar.xz here", code=2)
        with tarfile.open(os.path.join(tree, "gpu_bundle/bundle.tar.xz"), "w:xz") as archive:
            archive.add("ci", "bundle")
        with open(os.path.join(tree, "gpu_bundle/bundle.tar.xz"), "r+b") as f:
            f.truncate(os.path.getsize(f.name) // 2)
        self.expect([there, "run", "first"], "is cut off or damaged", code=2)

    def test_nvcc_of_the_wheels(self):
        """without a CUDA toolkit the pinned nvcc is fetched, and compiles"""
        self.expect([BAZEL, "build", "--config=cuda", _FOLDER + ":kernels"], CUDA_PATH="wheels")

    def test_toolkit_of_another_version(self):
        """bad input: a CUDA toolkit of another version"""
        toolkit = os.path.join(self.scratch, "toolkit")
        os.makedirs(os.path.join(toolkit, "bin"))
        os.makedirs(os.path.join(toolkit, "include"))
        self.write(os.path.join(toolkit, "bin/nvcc"), "")
        self.write(os.path.join(toolkit, "include/cuda_runtime_api.h"), "#define CUDART_VERSION  12080\n")
        self.expect([BAZEL, "build", "--config=cuda", _FOLDER + ":kernels"],
                    "no CUDA toolkit: %s has CUDA 12.8, and torch as pinned is built for 13" % toolkit, code=1, CUDA_PATH=toolkit)
