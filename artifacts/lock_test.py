"""The locks of all packages are consistent, and the store that they share holds exactly the blobs that they name."""

import collections
import json
import os
import re
import sys
import unittest

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_GATHERED = sys.argv.pop(1) if __name__ == "__main__" else ""  # of //tools/deps:families.bzl
_PRUNE = "; fix: tools/bazel run //tools:artifacts -- prune --delete"
# 3 MiB for the 136 models that there were, and 24 KiB for each one more; git keeps each blob that there ever was.
_FIRST, _BYTES_OF_THE_FIRST, _BYTES_OF_ANOTHER = 136, 3 << 20, 24 << 10
_DTYPE = re.compile(r"_(bf16|fp16|fp32|fp64)_b[0-9]")


def _most_bytes(models):
    return _BYTES_OF_THE_FIRST + max(0, models - _FIRST) * _BYTES_OF_ANOTHER


def _overrun(rows):
    """The fix for the blobs of (key, row) that take more than the store may, or ""."""
    sizes = {row["sha256"]: (row["size"], _DTYPE.split(key)[0]) for key, row in rows if row["store"] == "embedded"}
    total, models = sum(size for size, _ in sizes.values()), collections.Counter()
    for size, model in sizes.values():
        models[model] += size
    allowed = _most_bytes(len(models))
    if total <= allowed:
        return ""
    most = ", ".join("%s %d" % item for item in models.most_common(5))
    text = "artifacts/blobs has %d bytes, at most %d; most have %s: lower --embed-limit or take out rows of fewer use"
    return text % (total, allowed, most)


class LockTest(unittest.TestCase):
    def setUp(self):
        with open(_GATHERED, encoding="utf-8") as f:
            gathered = json.load(f)
        self.problems, self.locks = gathered["problems"], gathered["locks"]
        locks = [lock for package, lock in self.locks.items() if package.startswith("benchmarks/")]
        self.rows = [item for lock in locks for item in lock.items()]
        self.house = [row for _, row in self.rows]

    def test_there_are_locks(self):
        self.assertTrue(self.house)

    def test_every_lock_can_be_read_and_none_contradicts_another(self):
        self.assertEqual([], self.problems)

    def test_every_blob_in_the_shared_store_belongs_to_a_row(self):
        folder = os.path.join(_FOLDER, "blobs")
        blobs = {n.partition(".")[0] for n in (os.listdir(folder) if os.path.isdir(folder) else []) if not n.startswith(".")}
        self.assertEqual(set(), blobs - {row["sha256"] for row in self.house}, "blobs of no row" + _PRUNE)

    def test_the_embedded_store_keeps_within_its_size(self):
        self.assertEqual("", _overrun(self.rows))

    def test_an_overrun_names_models_and_bytes_and_counts_a_shared_blob_once(self):
        def row(digest, size, store="embedded"):
            return {"sha256": digest, "size": size, "store": store}

        rows = [("big_%s_b2" % dtype, row("a", 2 << 20)) for dtype in ("fp32", "fp64")]
        rows.append(("far_bf16_b2", row("b", 9 << 20, "bucket")))
        self.assertEqual("", _overrun(rows + [("small_fp32_b2", row("c", 1 << 20))]))
        text = _overrun(rows + [("small_x_fp32_b2_s8", row("c", (1 << 20) + 1))])
        self.assertIn("has 3145729 bytes, at most 3145728; most have big 2097152, small_x 1048577:", text)

    def test_a_model_more_may_bring_24_kib(self):
        self.assertEqual([3145728, 3145728, 3170304], [_most_bytes(models) for models in (1, 136, 137)])


if __name__ == "__main__":
    unittest.main()
