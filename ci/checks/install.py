"""`tools/bazel run //tools:install`: programs with a main() of their own build from the prefix alone, by CMake and by pkg-config."""

import os
import shutil
import subprocess
import unittest

from ci.check import BAZEL, ROOT, Check, program

_EXAMPLE = os.path.join(ROOT, "tools/package/example")


class Install(Check):
    def installed(self, *words):
        """The prefix of an installation, moved from where it was made."""
        first, prefix = os.path.join(self.scratch, "first"), os.path.join(self.scratch, "prefix")
        self.expect([*program("//tools:install"), "--prefix=" + first, *words])
        os.rename(first, prefix)
        # A copy, so that no header of the tree is beside it.
        shutil.copytree(_EXAMPLE, os.path.join(self.scratch, "example"))
        return prefix

    def cmake(self, prefix, *words, texts=(), code=0):
        build = os.path.join(self.scratch, "build")
        self.expect(["cmake", "-S", os.path.join(self.scratch, "example"), "-B", build, "-DCMAKE_PREFIX_PATH=" + prefix, *words], *texts, code=code)
        return build

    @unittest.skipUnless(shutil.which("cmake"), "no cmake here: apt-get install cmake")
    def test_cmake(self):
        'install: CMake builds the examples, which measure and verify'
        prefix = self.installed()
        base = subprocess.run([BAZEL, "info", "output_base"], cwd=ROOT, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout.strip()
        build = self.cmake(prefix, "-DLIBTORCH_PATH=%s/external/libtorch/site" % base)
        self.expect(["cmake", "--build", build])
        self.expect([os.path.join(build, "measure")], "sort       median", "95 % interval")
        self.expect([os.path.join(build, "verify")], "verdict    PASS")
        self.expect([os.path.join(build, "verify"), "wrong"], "verdict    FAIL_ACCURACY", code=1)
        asks = self.read(os.path.join(self.scratch, "example/CMakeLists.txt")).replace("OPTIONAL_COMPONENTS", "")
        self.write(os.path.join(self.scratch, "example/CMakeLists.txt"), asks)
        shutil.rmtree(build)
        self.cmake(prefix, "-DLIBTORCH_PATH=/nonsense", texts=["LIBTORCH_PATH=/nonsense holds no"], code=1)

    @unittest.skipUnless(shutil.which("pkg-config"), "no pkg-config here: apt-get install pkg-config")
    def test_without_libtorch(self):
        'install: 5 MB without LibTorch, and a program by pkg-config'
        prefix = self.installed("--without-libtorch")
        size = sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(prefix) for name in names)
        self.assertLess(size, 5e6)
        flags = self.expect(["pkg-config", "--cflags", "--libs", "assay-engine"], PKG_CONFIG_PATH=prefix + "/lib/pkgconfig").stdout.split()
        binary = os.path.join(self.scratch, "measure")
        self.expect(["g++", "-O2", os.path.join(self.scratch, "example/measure.cc"), "-o", binary, *flags])
        self.expect([binary], "sort       median")
