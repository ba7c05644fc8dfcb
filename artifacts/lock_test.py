"""The locks of all packages are consistent, and the store that they share holds exactly the blobs that they name."""

import json
import os
import sys
import unittest

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_GATHERED = sys.argv.pop(1) if __name__ == "__main__" else ""  # of //tools/deps:families.bzl
_PRUNE = "; fix: tools/bazel run //tools:artifacts -- prune --delete"
_EMBEDDED_GOAL_BYTES = 16 << 20


class LockTest(unittest.TestCase):
    def setUp(self):
        with open(_GATHERED, encoding="utf-8") as f:
            gathered = json.load(f)
        self.problems, self.locks = gathered["problems"], gathered["locks"]
        self.house = [row for package, lock in self.locks.items() if package.startswith("benchmarks/") for row in lock.values()]

    def test_there_are_locks(self):
        self.assertTrue(self.house)

    def test_every_lock_can_be_read_and_none_contradicts_another(self):
        self.assertEqual([], self.problems)

    def test_every_blob_in_the_shared_store_belongs_to_a_row(self):
        folder = os.path.join(_FOLDER, "blobs")
        blobs = {n.partition(".")[0] for n in (os.listdir(folder) if os.path.isdir(folder) else []) if not n.startswith(".")}
        self.assertEqual(set(), blobs - {row["sha256"] for row in self.house}, "blobs of no row" + _PRUNE)

    def test_the_embedded_store_keeps_within_its_size(self):
        embedded = {row["sha256"]: row["size"] for row in self.house if row["store"] == "embedded"}
        self.assertLessEqual(sum(embedded.values()), _EMBEDDED_GOAL_BYTES, "lower --embed-limit")


if __name__ == "__main__":
    unittest.main()
