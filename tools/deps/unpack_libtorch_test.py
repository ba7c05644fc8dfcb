"""Tests which files of a wheel are unpacked; a full disk and a truncated wheel give an error with the place and exit
code 1."""

import collections
import errno
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from unittest import mock

from tools.deps import unpack_libtorch

_DiskUsage = collections.namedtuple("_DiskUsage", "total used free")
_FILES = ["torch/lib/libtorch_cpu.so", "torch/lib/libtorch_cuda.so", "torch/include/a.h", "torch/nn.py", "torch/version.py",
          "nvidia/cu13/lib/libcudart.so.13", "nvidia/cu13/lib/libcudart_static.a", "nvidia/cu13/bin/nvcc",
          "nvidia/cu13/include/cuda.h", "nvidia/cu13/nvvm/bin/cicc"]


class UnpackLibtorchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out, self.wheels = os.path.join(folder.name, "out"), os.path.join(folder.name, "wheels")
        self.wheel = os.path.join(self.wheels, "some-1.0.whl")
        os.mkdir(self.wheels)
        with zipfile.ZipFile(self.wheel, "w") as f:
            for name in _FILES:
                f.writestr(name, "x" * 1000)

    def run_program(self, *words):
        program = [sys.executable, "-m", "tools.deps.unpack_libtorch"]
        return subprocess.run([*program, *words], stderr=subprocess.PIPE, encoding="utf-8")

    def unpacked(self, flavour):
        self.assertEqual(self.run_program(flavour, self.out, self.wheels).returncode, 0)
        self.assertEqual(os.listdir(self.wheels), [])
        return sorted(os.path.relpath(os.path.join(path, name), self.out) for path, _, names in os.walk(self.out) for name in names)

    def test_without_cuda(self):
        self.assertEqual(self.unpacked("cpu"), ["nvidia/cu13/lib/libcudart.so.13", "torch/include/a.h", "torch/lib/libtorch_cpu.so",
                                                "torch/version.py"])

    def test_with_cuda(self):
        self.assertIn("torch/lib/libtorch_cuda.so", self.unpacked("cuda"))

    def test_toolkit_can_be_executed(self):
        self.assertEqual(self.unpacked("toolkit"), ["nvidia/cu13/bin/nvcc", "nvidia/cu13/include/cuda.h",
                                                    "nvidia/cu13/lib/libcudart_static.a", "nvidia/cu13/nvvm/bin/cicc"])
        for name in ("bin/nvcc", "nvvm/bin/cicc"):
            self.assertTrue(os.access(os.path.join(self.out, "nvidia/cu13", name), os.X_OK))

    def fails(self, wanted):
        with self.assertRaises(OSError) as raised:
            unpack_libtorch.main("cuda", self.out, self.wheels)
        for text in wanted:
            self.assertIn(text, str(raised.exception))

    def test_full_disk_is_seen_before_anything_is_written(self):
        with mock.patch.object(shutil, "disk_usage", return_value=_DiskUsage(10**9, 10**9, 4999)):
            self.fails(["no room on the disk", "unpacking some-1.0.whl takes 1 MB in " + self.out, "0 MB are free",
                        "--output_user_root"])
        self.assertFalse(os.path.exists(self.out))

    def test_disk_that_fills_up_meanwhile(self):
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        with mock.patch.object(zipfile.ZipFile, "extract", side_effect=full):
            self.fails(["no room on the disk", self.out])

    def test_another_fault_of_the_disk_is_not_taken_for_a_full_one(self):
        with mock.patch.object(zipfile.ZipFile, "extract", side_effect=OSError(errno.EROFS, "read-only")):
            self.fails(["read-only"])

    def test_wheel_cut_off(self):
        with open(self.wheel, "r+b") as f:
            f.truncate(os.path.getsize(self.wheel) // 2)
        done = self.run_program("cpu", self.out, self.wheels)
        self.assertEqual(done.returncode, 1)
        self.assertIn("some-1.0.whl cannot be unpacked", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_room(self):
        done = self.run_program("room", os.path.join(self.out, "not", "yet"), "1", "what comes")
        self.assertEqual((done.returncode, done.stderr), (0, "what comes\n"))
        done = self.run_program("room", self.out, "1000000000", "what comes")
        self.assertEqual(done.returncode, 1)
        self.assertIn("takes 1000000000 MB in " + self.out, done.stderr)


if __name__ == "__main__":
    unittest.main()
