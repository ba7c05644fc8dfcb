"""Locks of all packages side by side: a broken one is told and leaves the others; contradictions are named."""

import contextlib
import io
import json
import os
import tempfile
import unittest

from artifacts import gather_locks
from artifacts.format import lock_table


def row(digest, size=100, **more):
    return lock_table.Row(digest * (64 // len(digest)), size, lock_table.EMBEDDED, "a test", **more)


class GatherTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.lock("benchmarks/a", {"a_fp32_b2": row("1")})

    def lock(self, package, table):
        os.makedirs(os.path.join(self.root, package), exist_ok=True)
        path = os.path.join(self.root, package, "lock.bzl")
        if isinstance(table, dict):
            lock_table.write(path, table)
        else:
            with open(path, "wb") as f:
                f.write(table)

    def gather(self, *packages):
        """(what locks.bzl says, lines that name the watched packages, lines on standard error)."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            gather_locks.main(self.root, self.root, *packages)
        names = {}
        with open(os.path.join(self.root, "locks.bzl"), encoding="utf-8") as f:
            exec(f.read(), names)  # Starlark of literals is Python
        with open(os.path.join(self.root, "locks.json"), encoding="utf-8") as f:
            full = json.load(f)
        self.assertEqual({p: set(t) for p, t in names["LOCKS"].items()}, {p: set(t) for p, t in full["locks"].items()})
        return names, out.getvalue().split(), err.getvalue().splitlines()

    def test_packages_with_and_without_a_lock(self):
        self.lock("theirs", {"b_fp32_b2": row("2")})
        os.makedirs(os.path.join(self.root, "benchmarks/new"))
        names, watched, err = self.gather("benchmarks/a", "benchmarks/new", "theirs")
        self.assertEqual(["benchmarks/a", "theirs"], watched)
        self.assertEqual(([], []), (names["LOCK_PROBLEMS"], err))
        self.assertEqual({"role": "", "sha256": "2" * 64, "size": 100, "store": "embedded"}, names["LOCKS"]["theirs"]["b_fp32_b2"])

    def test_a_broken_or_hostile_lock_is_told_and_leaves_the_others(self):
        for text in (b"", b"LOCK = {", b"\xff", b"LOCK = __import__('os').system('true')", b"load('//x:y.bzl', 'LOCK')\n", b"{" * 900):
            with self.subTest(text=text):
                self.lock("theirs", text)
                names, watched, err = self.gather("benchmarks/a", "theirs")
                self.assertEqual({"benchmarks/a"}, set(names["LOCKS"]))
                self.assertEqual(["benchmarks/a", "theirs"], watched)
                (problem,) = names["LOCK_PROBLEMS"]
                self.assertRegex(problem, "^//theirs: theirs/lock.bzl: ")
                self.assertEqual([problem], err)

    def test_a_folder_in_a_locks_place_is_told_and_not_watched(self):
        os.makedirs(os.path.join(self.root, "theirs/lock.bzl"))
        names, watched, _ = self.gather("benchmarks/a", "theirs")
        self.assertEqual((["benchmarks/a"], ["//theirs: theirs/lock.bzl: not a file"]), (watched, names["LOCK_PROBLEMS"]))

    def test_a_key_in_two_locks_names_both_packages(self):
        self.lock("theirs", {"a_fp32_b2": row("2")})
        names, _, _ = self.gather("benchmarks/a", "theirs")
        text = "//benchmarks/a and //theirs both have a row 'a_fp32_b2' in their lock.bzl; a key belongs to one package"
        self.assertEqual([text], names["LOCK_PROBLEMS"])

    def test_digests_that_would_be_one_repository_are_told_and_only_the_first_is_taken(self):
        near = row("1")._replace(sha256="1" * 16 + "2" * 48)
        self.lock("theirs", {"b_fp32_b2": near, "c_fp32_b2": row("3"), "d_fp32_b2": row("1", size=7)})
        names, _, _ = self.gather("benchmarks/a", "theirs")
        self.assertEqual({"c_fp32_b2"}, set(names["LOCKS"]["theirs"]))
        first, second = names["LOCK_PROBLEMS"]
        self.assertIn("begin with the same 16 digits, 1111111111111111", first)
        self.assertIn("is safetensors of 7 bytes, //benchmarks/a that it is safetensors of 100", second)

    def test_one_blob_may_serve_two_packages(self):
        self.lock("theirs", {"b_fp32_b2": row("1")})
        self.assertEqual([], self.gather("benchmarks/a", "theirs")[0]["LOCK_PROBLEMS"])


if __name__ == "__main__":
    unittest.main()
