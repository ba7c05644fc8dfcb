"""The CUDA flavour compiles and links, and its bundle is whole; without a GPU all of it says NO_DEVICE and never passes."""

import json
import os
import re

from ci.check import BAZEL, Check

_FOLDER = "//benchmarks/harness/sampling/cuda"
_HAS_GPU = os.path.exists("/dev/nvidia0")
# Small and large, with and without training, models and operators: the code of all others is the same on every device. With a GPU
# the bundle has them all.
_FAMILIES = ["benchmarks/bert", "benchmarks/mlp", "benchmarks/operators", "benchmarks/resnet"]
# What is started without a GPU: each of 140 would say NO_DEVICE, after LibTorch's start.
_STARTED = "gpu_test|certificate|measure|:(bert_tiny_fp32|mlp|mm|resnet18)_"


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
        """the GPU bundle carries its families, and says NO_DEVICE for each thing without a GPU"""
        bundle, results = os.path.join(self.scratch, "bundle"), os.path.join(self.scratch, "results")
        run = [os.path.join(bundle, "run.sh"), "--results=" + results]
        if _HAS_GPU:
            self.expect(["ci/gpu_bundle.sh", bundle])
            self.expect(run)
            return
        self.expect(["ci/gpu_bundle.sh", bundle, *("//" + family for family in _FAMILIES)])
        self.expect([*run, "--only=" + _STARTED], "NO_DEVICE", code=2)
        summary = json.loads(self.read(os.path.join(results, "summary.json")))
        self.assertEqual({thing["verdict"] for thing in summary["things"]}, {"NO_DEVICE"})
        names = " ".join(thing["name"] for thing in summary["things"])
        for name in ["cuda_device_gpu_test", "torch_framework_gpu_test", "certificate G2", "certificate G3"]:
            self.assertIn(name, names)
        for family in _FAMILIES:
            self.assertRegex(names, r"(?<!measure )//%s:\S+_accuracy_test\b" % family)
            self.assertRegex(names, r"measure //%s:\S+" % family)
        self.assert_complete(bundle)
        # The runners started, loaded the bundle's plugin, and said it themselves.
        records = [json.loads(line) for line in self.read(os.path.join(results, "records.jsonl")).splitlines()]
        self.assertEqual(len(records), len(_FAMILIES))
        for log in [f for f in os.listdir(results) if f.endswith("_accuracy_test.log")]:
            said = self.read(os.path.join(results, log))
            self.assertIn("NO_DEVICE: no CUDA device", said)
            self.assertNotIn("this build has no CUDA", said)
        self.expect([*run[:1], "--fast"], code=3)
        os.remove(os.path.join(bundle, "runfiles/assay/benchmarks/mlp/runner"))
        self.expect([*run[:1], "--results=" + results + "2"], "runfiles/assay/benchmarks/mlp/runner: No such file", code=2)

    def assert_complete(self, bundle):
        """Every file that a case's script names is in the bundle, and is no link out of it."""
        for folder, _, names in os.walk(os.path.join(bundle, "cases")):
            for name in names:
                files = re.findall(r'"\$w/([^"]+)"', self.read(os.path.join(folder, name)))
                # Runner, case, plugin and, but for operators, a reference.
                self.assertGreaterEqual(len(files), 3 if folder.endswith("operators") else 4, name)
                for file in files:
                    path = os.path.join(bundle, "runfiles/assay", file)
                    self.assertTrue(os.path.isfile(path) and not os.path.islink(path), path)

    def test_bundle_usage(self):
        """bad input: the GPU bundle of no folder, of no family, or over somebody's files"""
        self.write(os.path.join(self.scratch, "thesis"), "three years")
        self.expect(["ci/gpu_bundle.sh"], "usage", code=3)
        self.expect(["ci/gpu_bundle.sh", "--fast"], "usage", code=3)
        self.expect(["ci/gpu_bundle.sh", self.scratch], "is no bundle", code=3)
        new = os.path.join(self.scratch, "new")
        self.expect(["ci/gpu_bundle.sh", new, "//benchmarks/none"], "no family //benchmarks/none", code=3)
        self.assertEqual(os.listdir(self.scratch), ["thesis"])

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
