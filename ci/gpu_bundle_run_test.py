"""The run.sh of a GPU bundle, over a bundle of scripts: its line for each program, and its exit code."""

import contextlib
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

from ci import gpu_bundle_run

_TORCH = "2.11.0+cu130"
_REPORT = '{"tests": 1, "failures": %d, "testsuites": [{"testsuite": [{"name": "A", "empty_kernel_ns": "2100"}]}]}'
# A unit test writes its report where it is told to.
_UNIT = '#!/bin/sh\nfor word; do case $word in --gtest_output=json:*) echo \'%s\' >"${word#*json:}" ;; esac; done\nexit %d\n'
_UNIT_PASSES = _UNIT % (_REPORT % 0, 0)
_CASE_PASSES = '#!/bin/sh\necho "verdict   PASS  logits"\n'
_MEASURE_PASSES = '#!/bin/sh\necho "{}" >>"${1#--record=}"; echo "mlp_fp32_b1/wall  9 us"\n'
_NO_DEVICE = '#!/bin/sh\necho "NO_DEVICE: no CUDA device"; exit 2\n'

# The driver's library, as far as it is asked; what it says is in the environment.
_DRIVER = """
#include <cstdlib>
static int Told(const char* name) { return std::atoi(std::getenv(name)); }
extern "C" int cuInit(unsigned) { return Told("INIT"); }
extern "C" int cuDeviceGetCount(int* count) { *count = Told("COUNT"); return 0; }
extern "C" int cuDriverGetVersion(int* version) { *version = Told("VERSION"); return 0; }
"""


def _runs(pid):
    """Whether a process exists and is not a zombie."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8") as f:
            return f.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class FindGpuTest(unittest.TestCase):
    def test_the_driver_is_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            words = ["g++", "-x", "c++", "-shared", "-fPIC", "-", "-o", os.path.join(folder, "libcuda.so.1")]
            subprocess.run(words, input=_DRIVER, encoding="utf-8", check=True)
            smi = os.path.join(folder, "nvidia-smi")
            with open(smi, "w", encoding="utf-8") as f:
                f.write("#!/bin/sh\necho 'NVIDIA H100, 580.65'\n")
            os.chmod(smi, 0o755)
            for init, count, version, found in [
                (0, 1, 13000, "('NVIDIA H100, 580.65', '')"),
                (0, 1, 12080, "too old, for CUDA 12.8: install version 580"),
                (0, 0, 13000, "sees no GPU"),
                (100, 0, 0, "sees no GPU (error 100)"),
            ]:
                environment = dict(os.environ, LD_LIBRARY_PATH=folder, PATH=folder + ":" + os.environ["PATH"], INIT=str(init),
                                   COUNT=str(count), VERSION=str(version))
                code = "from ci import gpu_bundle_run; print(gpu_bundle_run.find_gpu())"
                said = subprocess.run([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, encoding="utf-8").stdout
                self.assertIn(found, said)


class GpuBundleRunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bundle, self.site = os.path.join(folder.name, "bundle"), os.path.join(folder.name, "site")
        self.results = os.path.join(folder.name, "results")
        self.torch(_TORCH)
        self.things = {
            "unit_tests/cuda_device_gpu_test": _UNIT_PASSES,
            "unit_tests/torch_framework_gpu_test": _UNIT_PASSES,
            "cases/benchmarks/mlp/mlp_fp32_b8_accuracy_test": _CASE_PASSES,
            "cases/benchmarks/mlp/mlp_fp32_b1": _MEASURE_PASSES,
        }

    def torch(self, version):
        os.makedirs(os.path.join(self.site, "torch"), exist_ok=True)
        with open(os.path.join(self.site, "torch", "version.py"), "w", encoding="utf-8") as f:
            f.write("__version__ = '%s'\n" % version)

    def write(self, path, text):
        path = os.path.join(self.bundle, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(path, 0o755)

    def pack(self):
        built = json.dumps({"commit": "abc", "linked_with": "/nonexistent", "torch": _TORCH})
        for path, text in {**self.things, "built.json": built}.items():
            self.write(path, text)
        rows = ["%s  %s\n" % (hashlib.sha256(text.encode()).hexdigest(), path) for path, text in self.things.items()]
        self.write("MANIFEST", "".join(rows))

    def run_bundle(self, *words, gpu=True):
        """(exit code, everything that was said)."""
        said = io.StringIO()
        found = ("a fake GPU", "") if gpu else ("", "no NVIDIA driver here")
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            try:
                code = gpu_bundle_run.main(self.bundle, ["--results=" + self.results, *words], gpu=lambda: found)
            except SystemExit as end:
                code = end.code
        return code, said.getvalue()

    def verdicts(self):
        with open(os.path.join(self.results, "summary.json"), encoding="utf-8") as f:
            return {thing["name"]: thing["verdict"] for thing in json.load(f)["things"]}

    def ends(self, code, *texts, words=(), gpu=True, site=True):
        self.pack()
        given, said = self.run_bundle(*([self.site] if site else []), *words, gpu=gpu)
        self.assertEqual(given, code, said)
        for text in texts:
            self.assertIn(text, said)

    def test_all_pass(self):
        self.ends(0, "certificate G2", "empty_kernel_ns 2100", "mlp_fp32_b1/wall 9 us", "6 PASS")
        self.assertEqual(set(self.verdicts().values()), {"PASS"})
        with open(os.path.join(self.results, "records.jsonl"), encoding="utf-8") as f:
            self.assertEqual(f.read(), "{}\n")

    def test_without_a_gpu_each_thing_says_no_device(self):
        for path in self.things:
            self.things[path] = _NO_DEVICE
        self.ends(2, "6 NO_DEVICE", gpu=False)

    def test_without_a_gpu_a_pass_is_a_failure(self):
        self.things["cases/benchmarks/mlp/mlp_fp32_b1"] = _NO_DEVICE
        self.ends(1, "although there is no GPU", gpu=False)
        self.assertEqual(self.verdicts()["//benchmarks/mlp:mlp_fp32_b8_accuracy_test"], "FAIL")

    def test_without_a_gpu_and_torch_each_thing_says_no_device(self):
        self.ends(2, "6 NO_DEVICE", gpu=False, site=False)

    def test_failures(self):
        self.things["unit_tests/torch_framework_gpu_test"] = _UNIT % (_REPORT % 1, 1)
        self.things["cases/benchmarks/mlp/mlp_fp32_b1"] = "#!/bin/sh\nexit 0\n"
        self.ends(1, "wrote no record", "2 FAIL, 4 PASS")

    def test_a_unit_test_that_ran_nothing_fails(self):
        self.things["unit_tests/cuda_device_gpu_test"] = _UNIT % ('{"tests": 0, "failures": 0, "testsuites": []}', 0)
        self.things["unit_tests/torch_framework_gpu_test"] = "#!/bin/sh\nexit 0\n"
        self.ends(1, "ran 0 tests", "before its report was written", "4 FAIL, 2 PASS")

    def test_an_end_by_the_surroundings_is_no_failure(self):
        self.things["cases/benchmarks/mlp/mlp_fp32_b8_accuracy_test"] = "#!/bin/sh\necho OUT_OF_MEMORY; exit 2\n"
        self.things["unit_tests/torch_framework_gpu_test"] = (
            "#!/bin/sh\necho 'x: error while loading shared libraries: libcublas.so.13: no such file'; exit 127\n")
        self.ends(2, "OUT_OF_MEMORY", "libcublas.so.13")
        self.assertEqual(self.verdicts()["torch_framework_gpu_test"], "NO_LIBRARY")

    def test_another_torch(self):
        self.torch("2.10.0+cu126")
        self.ends(2, "torch 2.10.0+cu126 in", "pip install torch==2.11.0", "3 NO_LIBTORCH, 3 PASS")

    def test_no_torch(self):
        os.remove(os.path.join(self.site, "torch", "version.py"))
        self.ends(2, "no torch in " + self.site, "3 NO_LIBTORCH, 3 PASS")

    def test_the_torch_folder_itself_may_be_named(self):
        self.pack()
        self.assertEqual(self.run_bundle(os.path.join(self.site, "torch"))[0], 0)

    def test_a_bundle_cut_in_half(self):
        self.pack()
        os.remove(os.path.join(self.bundle, "cases/benchmarks/mlp/mlp_fp32_b1"))
        self.write("unit_tests/cuda_device_gpu_test", "#!/bin")
        code, said = self.run_bundle(self.site)
        self.assertEqual(code, 2)
        self.assertIn("cases/benchmarks/mlp/mlp_fp32_b1: No such file", said)
        self.assertIn("unit_tests/cuda_device_gpu_test: other bytes", said)
        os.remove(os.path.join(self.bundle, "MANIFEST"))
        self.assertIn("MANIFEST: No such file", self.run_bundle(self.site)[1])

    def test_only(self):
        self.ends(0, "2 PASS", words=["--only=certificate"])
        self.assertEqual(len(self.verdicts()), 2)
        self.assertEqual(self.run_bundle("--only=nothing")[0], 3)

    def test_usage(self):
        self.pack()
        for words in (["--fast"], ["--only=("], ["/nonexistent"], ["--minutes=soon"]):
            self.assertEqual(self.run_bundle(*words)[0], 3, words)
        self.assertEqual(self.run_bundle("--help")[0], 0)

    def test_time_is_limited(self):
        for path in self.things:
            self.things[path] = "#!/bin/sh\nsleep 100\n"
        self.ends(2, "the time was over", "6 NOT_RUN", words=["--minutes=0.01"])
        self.assertEqual(len([f for f in os.listdir(self.results) if f.endswith(".log")]), 1, "the others were not started")

    def test_what_hangs_is_killed_and_fails(self):
        self.things["cases/benchmarks/mlp/mlp_fp32_b8_accuracy_test"] = "#!/bin/sh\nsleep 100 & echo $! >pid; wait\n"
        with mock.patch.object(gpu_bundle_run, "_CASE_SECONDS", 0.5):
            self.ends(1, "5 PASS, 1 TIMEOUT")
        with open(os.path.join(self.results, "pid"), encoding="utf-8") as f:
            pid = int(f.read())
        for _ in range(200):
            if not _runs(pid):
                return
            time.sleep(0.05)
        self.fail("what it started lives on")


if __name__ == "__main__":
    unittest.main()
