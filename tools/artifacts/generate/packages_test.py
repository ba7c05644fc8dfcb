"""Each package's rows go into the lock beside its case table; the house's blobs into artifacts/, others' into theirs."""

import os
import shutil
import unittest

from artifacts.format import lock_table
from tools.artifacts.generate import generate
from tools.artifacts.generate.test_cases import entry
from tools.artifacts.generate.test_program import ProgramTest, captured, _SOURCES


def case_of(package, name, **more):
    case = entry(name, **more)
    case["benchmark_case"]["label"] = "//%s:%s" % (package, name)
    return case


class PackagesTest(ProgramTest):
    def setUp(self):
        super().setUp()
        for package in ("benchmarks/toy", "theirs/toy", "tools/deps"):
            os.makedirs(os.path.join(self.tree, package))
        shutil.copy(os.path.join(_SOURCES, "tools/deps/find_families.sh"), os.path.join(self.tree, "tools/deps"))
        shutil.copytree(os.path.join(self.root, "benchmarks/toy"), os.path.join(self.root, "theirs/toy"))
        self.cases({"a_fp32_b2": [1.0, 2.0]}, case_of("benchmarks/toy", "a_fp32_b2"), case_of("theirs/toy", "b_fp32_b2", depth=2))
        with open(os.path.join(self.root, "benchmarks/registry.pb"), "w", encoding="utf-8") as f:
            f.write('{"//benchmarks/toy:a_fp32_b2": {"values": [1, 2]}, "//theirs/toy:b_fp32_b2": {"values": [1, 3]}}')

    def generate(self, filter=".", *flags):
        environment = {"PYTHONPATH": self.root, "ASSAY_CACHE": os.path.join(self.root, "cache")}
        environment["BUILD_WORKSPACE_DIRECTORY"] = self.tree
        return captured(generate.main, ["generate", "--filter=" + filter, "--allow-dirty", *flags], environment)

    def rows(self, package):
        return lock_table.read(os.path.join(self.tree, package, "lock.bzl"))

    def test_locks_and_blobs_lie_where_each_package_has_them(self):
        code, out, err = self.generate()
        self.assertEqual(0, code, err)
        self.assertIn("building  2 families: //benchmarks/toy:runner //theirs/toy:runner\n", err)
        (a,) = self.rows("benchmarks/toy").values()
        (b,) = self.rows("theirs/toy").values()
        blobs = {name: set(os.listdir(os.path.join(self.tree, name, "blobs"))) for name in ("artifacts", "theirs/toy")}
        self.assertEqual({"artifacts": {a.object_name}, "theirs/toy": {b.object_name}}, blobs)
        self.assertIn("locks: 2 rows; 2 blobs in the tree", out)
        before = self.snapshot(self.tree)
        self.assertEqual(0, self.generate()[0])
        self.assertEqual(before, self.snapshot(self.tree))

    def test_a_damaged_lock_of_another_package_leaves_this_one(self):
        with open(os.path.join(self.tree, "theirs/toy/lock.bzl"), "w") as f:
            f.write("LOCK = {")
        code, out, err = self.generate(":a_")
        self.assertEqual(0, code, err)
        self.assertEqual([["//benchmarks/toy:runner"]], self.built())  # not theirs
        self.assertIn("building  1 family: //benchmarks/toy:runner\n", err)
        self.assertEqual({"a_fp32_b2"}, set(self.rows("benchmarks/toy")))
        self.assertRegex(out, "left out of these totals: .*theirs/toy/lock.bzl: line 1")
        code, _, err = self.generate()
        self.assertEqual(2, code)
        self.assertIn("theirs/toy/lock.bzl: line 1", err)


if __name__ == "__main__":
    unittest.main()
