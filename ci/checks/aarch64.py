"""64-bit Arm: a cross build, its unit tests and two verified cases under QEMU's emulation of one process."""

import os
import shutil
import unittest

from ci.check import BAZEL, ROOT, Check

_NEEDED = {"aarch64-linux-gnu-g++": "g++-aarch64-linux-gnu", "qemu-aarch64": "qemu-user"}
_MISSING = [package for program, package in _NEEDED.items() if not shutil.which(program)]
_EMULATED = "exec qemu-aarch64 -L /usr/aarch64-linux-gnu "
_TESTS = ["//benchmarks/harness/sampling/device:cpu_clock_test", "//defs/case:unity_test"]
_TESTS += ["//benchmarks/harness/%s:unity_test" % name for name in ("base", "environment", "numerics", "tensor_files", "text")]
# They look at their own process in /proc, which is QEMU's.
_OF_QEMU = "OwnProgram.InTheTreeItIsTheExecutableAndBazelStartsIt:MappedFileTest.OpeningTakesNoMemoryWhateverTheSize"


@unittest.skipUnless(os.environ.get("ASSAY_AARCH64"), "a cross build takes 1 to 13 minutes: ASSAY_AARCH64=1 runs it")
@unittest.skipIf(_MISSING, "no cross compiler or no emulator here: apt-get install " + " ".join(_MISSING))
class Aarch64(Check):
    # In an output base of its own, which stays: LibTorch for Arm and what was compiled are there the next time.
    beside = True

    def bazel(self, command, *words, texts=()):
        base = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "assay/aarch64_build")
        return self.expect([BAZEL, "--batch", "--output_base=" + base, command, "--config=aarch64", *words], *texts)

    def test_units(self):
        """aarch64: unit tests pass under QEMU"""
        self.bazel("test", "--test_filter=-" + _OF_QEMU, *_TESTS, texts=["%d tests pass" % len(_TESTS)])

    def test_cases(self):
        """aarch64: mlp_fp32_b1 and resnet18_fp32_b1 are verified under QEMU"""
        cases = {"mlp": "mlp_fp32_b1", "resnet": "resnet18_fp32_b1"}
        self.bazel("build", *("//benchmarks/%s:%s" % item for item in cases.items()))
        folder = self.bazel("info", "bazel-bin").stdout.strip().splitlines()[-1]
        for family, case in cases.items():
            script = os.path.join(folder, "benchmarks", family, case)
            # The script would start a program that this machine cannot.
            text = self.read(script).replace("\nexec ", "\n" + _EMULATED)
            self.assertIn(_EMULATED, text)
            self.expect(["sh", "-c", text, script, "--action=verify"], "PASS", cwd=ROOT, RUNFILES_DIR=script + ".runfiles")
