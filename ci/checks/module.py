"""LibTorch in another workspace: the ten lines of tools/deps/README.md, with a program that is built and run there."""

import os
import re
import shutil
import subprocess
import unittest

from ci.check import BAZEL, ROOT, Check

_README = os.path.join(ROOT, "tools/deps/README.md")


def _real_bazel():
    """Bazel as somebody else has it, and whether it is old enough for WORKSPACE alone."""
    bazel = shutil.which("bazel")
    said = subprocess.run([bazel, "--version"], cwd="/", stdout=subprocess.PIPE, encoding="utf-8").stdout if bazel else ""
    return bazel, not re.search(r"bazel [5-9]", said)


_BAZEL, _OLD = _real_bazel()


@unittest.skipUnless(_BAZEL, "no bazel on PATH: tools/bazel installs one")
class Module(Check):
    def setUp(self):
        super().setUp()
        self.outside = os.path.join(self.scratch, "outside")
        os.mkdir(self.outside)
        text = self.read(_README).partition("## In another workspace")[2]
        for name in ("WORKSPACE", "MODULE.bazel", "BUILD.bazel", "hello.cc"):
            block = re.search(r"^`%s`.*?\n```\w*\n(.*?)```" % re.escape(name), text, re.M | re.S)[1]
            self.assertLessEqual(len(block.splitlines()), 10, name)
            if name == "WORKSPACE":  # CI reaches no GitHub
                lines = re.search(r"`(load\([^`]*bazel_parts.*?)` and `(.*?)`", text)
                block = block.replace("torch_repositories()", "%s\n%s\ntorch_repositories()" % lines.groups())
            self.write(os.path.join(self.outside, name), block.replace("/path/to/assay", ROOT))

    def bazel(self, command, *words, texts=(), **variables):
        startup = [_BAZEL, "--nohome_rc", "--output_base=" + os.path.join(self.scratch, "base")]
        self.addCleanup(self.expect, [*startup, "shutdown"], cwd=self.outside)
        return self.expect([*startup, command, *words], *texts, cwd=self.outside, **variables)

    def site(self, repository):
        """LibTorch as this tree has it, so that nothing is fetched again; skips where it has none."""
        base = subprocess.run([BAZEL, "info", "output_base"], cwd=ROOT, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout.strip()
        path = os.path.join(base, "external", repository, "site")
        if not os.path.exists(path):
            self.skipTest("@%s was not fetched here" % repository)
        return os.path.realpath(path)

    def test_workspace(self):
        'module: another WORKSPACE builds and runs a program with LibTorch for the CPU'
        os.remove(os.path.join(self.outside, "MODULE.bazel"))
        flags = [] if _OLD else ["--noenable_bzlmod", "--enable_workspace"]
        self.bazel("run", *flags, "//:hello", texts=["sum 6", "torch 2."], LIBTORCH_PATH=self.site("libtorch"))

    def test_cuda(self):
        'module: another WORKSPACE links a program with LibTorch and CUDA'
        os.remove(os.path.join(self.outside, "MODULE.bazel"))
        build = os.path.join(self.outside, "BUILD.bazel")
        self.write(build, self.read(build).replace("@libtorch//:torch", "@libtorch_cuda//:torch"))
        flags = [] if _OLD else ["--noenable_bzlmod", "--enable_workspace"]
        self.bazel("build", *flags, "//:hello", LIBTORCH_PATH=self.site("libtorch_cuda"))
        needed = self.expect(["readelf", "-d", os.path.join(self.outside, "bazel-bin/hello")]).stdout
        self.assertIn("libtorch_cuda.so", needed)

    @unittest.skipIf(_OLD, "this Bazel knows no MODULE.bazel")
    def test_module(self):
        'module: another MODULE.bazel builds and runs a program with LibTorch for the CPU'
        os.remove(os.path.join(self.outside, "WORKSPACE"))
        self.bazel("run", "--enable_bzlmod", "//:hello", texts=["sum 6"], LIBTORCH_PATH=self.site("libtorch"))
