"""Each package has its own lock; those of benchmarks/ share a store, others bring theirs."""

import os
import tempfile
import unittest

from artifacts.format import lock_table, lock_tree
from artifacts.format.lock_syntax import LockError


def row(digest):
    return lock_table.Row(digest * 64, 100, lock_table.EMBEDDED, "a test")


class LockTreeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.tree = lock_tree.of_workspace(self.root, ["theirs/x", "benchmarks/b", "benchmarks/a"])

    def write(self, package, table):
        shelf = self.tree.shelf("//" + package)
        os.makedirs(os.path.dirname(shelf.lock), exist_ok=True)
        lock_table.write(shelf.lock, table)

    def test_the_house_shares_a_store_and_others_have_their_own(self):
        shelves = [self.tree.shelf(package) for package in ("//benchmarks/a", "//benchmarks/b", "//theirs/x")]
        self.assertEqual(shelves, self.tree.shelves())
        self.assertEqual(["benchmarks/a/lock.bzl", "benchmarks/b/lock.bzl", "theirs/x/lock.bzl"], [os.path.relpath(s.lock, self.root) for s in shelves])
        self.assertEqual(["artifacts", "theirs/x"], [os.path.relpath(s, self.root) for s in self.tree.stores()])

    def test_one_folder_serves_every_package(self):
        tree = lock_tree.of_folder(self.root)
        self.assertEqual(tree.shelf("//benchmarks/a"), tree.shelf("@theirs//x"))
        self.assertEqual([self.root], tree.stores())

    def test_a_package_without_a_lock_has_no_rows(self):
        self.write("theirs/x", {"x_fp32_b2": row("1")})
        self.assertEqual({"x_fp32_b2": row("1")}, lock_tree.merged(self.tree.read()))

    def test_a_key_in_two_locks_is_refused_with_both(self):
        self.write("theirs/x", {"x_fp32_b2": row("1")})
        self.write("benchmarks/b", {"x_fp32_b2": row("1")})
        with self.assertRaisesRegex(LockError, 'benchmarks/b/lock.bzl and .*theirs/x/lock.bzl both have a row "x_fp32_b2"'):
            self.tree.read()

    def test_another_repository_keeps_its_own(self):
        with self.assertRaisesRegex(LockError, "another repository"):
            self.tree.shelf("@theirs//x")

    def test_packages_are_found_by_their_build_files(self):
        with self.assertRaisesRegex(LockError, "find_families"):
            lock_tree.packages_of(self.root)


if __name__ == "__main__":
    unittest.main()
