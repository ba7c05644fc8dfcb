"""`tools/bazel run //tools:kernel` with sources, in a package of one's own, and read by the program of docs/kernels.md."""

import os
import re

from ci.check import BAZEL, ROOT, Check, program

_PACKAGE = "own_kernel_scratch"
_EXAMPLES = os.path.join("tools", "kernel", "examples")
_BUILD = """\
load("//defs:kernel.bzl", "kernel")

kernel(
    name = "row_softmax",
    srcs = ["row_softmax.cc"],
    at = ["b=5,c=33"],
    like = "aten::softmax.int",
)
"""


class Kernel(Check):
    def verify(self, source, *texts, code=0, words=()):
        return self.expect([*program("//tools:kernel", source, "--like=softmax", "--at=b=5,c=33", "--action=verify", "--threads=1"),
                            *words], *texts, code=code)

    def test_sources(self):
        'kernel: a source is compiled and judged, and the address sanitizer sees memory of its own'
        self.verify(os.path.join(_EXAMPLES, "softmax.cc"), "verdict   RIGHT: ")
        self.verify(os.path.join(_EXAMPLES, "own_memory.cc"), "WRONG: address sanitizer at b=1 c=1, fp32", "own_memory.cc:", code=1)
        self.verify(os.path.join(_EXAMPLES, "own_memory.cc"), "verdict   RIGHT: ", words=["--noasan"])

    def test_the_page(self):
        'kernel: --html writes a page with rows and plots of each size'
        page = os.path.join(self.scratch, "page.html")
        self.expect([*program("//tools:kernel", os.path.join(_EXAMPLES, "softmax.cc"), "--like=softmax", "--at=b=5,c=33", "--at=b=6,c=40"),
                     "--noasan", "--processes=2", "--budget=0.001", "--html=" + page], "verdict   RIGHT: ")
        text = self.read(page)
        for size in ("b=5 c=33", "b=6 c=40"):
            self.assertEqual(text.count('<td class="word">%s, fp32' % size), 2)  # hot and cold
            self.assertEqual(text.count("<title>mine::softmax, %s: " % size), 2)

    def test_a_source_that_does_not_compile(self):
        'kernel: errors of the compiler are shown as they are'
        source = self.write(os.path.join(self.scratch, "wrong.cc"), "int x = y;\n")
        self.verify(source, "WRONG: it does not compile", "wrong.cc:1:9: error: ", code=1)

    def test_a_package_of_ones_own(self):
        'kernel: kernel() in a package outside benchmarks/ measures and verifies'
        folder = os.path.join(ROOT, _PACKAGE)
        self.package(folder, _BUILD)
        self.write(os.path.join(folder, "row_softmax.cc"), self.read(os.path.join(ROOT, _EXAMPLES, "softmax.cc")))
        self.expect([BAZEL, "test", "//%s:row_softmax_test" % _PACKAGE], "1 test passes")
        self.expect([BAZEL, "run", "//%s:row_softmax" % _PACKAGE, "--", "--processes=2", "--budget=0.001"],
                    "verdict   RIGHT: ", "times as fast as ATen")

    def test_in_models(self):
        'kernel: a source in the place of ATen\'s, compared over a model'
        self.expect([*program("//tools:run_suite", "-k", "^mlp_fp32_b64$", "--compare", "--like=softmax",
                              "--candidate=" + os.path.join(_EXAMPLES, "softmax.cc"),
                              "--compare-flags=--pairs=2 --extra-rounds=0 --budget=0.01 --flagged=keep")],
                    "calls      mlp_fp32_b64: aten::_softmax: 1, ", "these cases test your kernel at their own sizes alone")

    def test_the_program_that_ranks(self):
        'kernel: the program of docs/kernels.md ranks three candidates by the JSON'
        text = re.search(r"```python\n(import json.*?)```", self.read(os.path.join(ROOT, "docs", "kernels.md")), re.S)[1]
        libraries = {}
        for letter, name in zip("abc", ("softmax", "wrong_length", "stable_softmax")):
            libraries[letter] = os.path.join("bazel-bin", _EXAMPLES, "lib%s.so" % name)
        self.expect([BAZEL, "build", "//tools/kernel/examples:libraries"])
        for letter, path in libraries.items():
            text = text.replace('"%s.so"' % letter, '"%s"' % path)
        text = text.replace('"--json"', '"--json", "--at=b=5,c=33", "--processes=2", "--budget=0.001"')
        done = self.expect(["python3", "-c", text], *libraries.values())
        lines = done.stdout.splitlines()
        self.assertEqual([line.split()[1] for line in lines], ["RIGHT", "RIGHT", "WRONG"])
