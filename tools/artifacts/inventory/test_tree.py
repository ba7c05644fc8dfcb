"""An artifacts folder, a registry and a lock for the tests of this package."""

import hashlib
import json
import os
import tempfile
import unittest

from artifacts.format import lock_table
from tools.artifacts.generate.test_cases import entry
from tools.artifacts.generate.test_program import captured
from tools.artifacts.inventory import program

DATA = {"toy_fp32_b2": b"reference of toy", "other_fp32_b1": b"another reference", "other_fp32_b1.weights": b"weights"}


def row_of(data, store=lock_table.EMBEDDED, role=""):
    return lock_table.Row(hashlib.sha256(data).hexdigest(), len(data), store, "tests, float64", "0123456789ab", role)


class TreeTest(unittest.TestCase):
    """toy (embedded; two cases read it), other (bucket) and its weights; blobs lie nowhere until they are put."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.artifacts = os.path.join(self.root, "artifacts")
        os.mkdir(self.artifacts)
        self.registry = os.path.join(self.root, "registry.json")
        self.table = {
            "toy_fp32_b2": row_of(DATA["toy_fp32_b2"]),
            "other_fp32_b1": row_of(DATA["other_fp32_b1"], lock_table.BUCKET),
            "other_fp32_b1.weights": row_of(DATA["other_fp32_b1.weights"], lock_table.BUCKET, "weights"),
        }
        self.write_lock()
        self.cases(entry("toy_b8", key="toy_fp32_b2"), entry("toy_b64", key="toy_fp32_b2"), entry("other_fp32_b1"))

    def write_lock(self):
        lock_table.write(os.path.join(self.artifacts, "lock.bzl"), self.table)

    def cases(self, *entries):
        with open(self.registry, "w", encoding="utf-8") as f:
            json.dump({"cases": entries}, f)

    def put(self, folder, key, data=None):
        """Puts a blob into a folder below the root; returns its path."""
        path = os.path.join(self.root, folder, self.table[key].object_name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(DATA[key] if data is None else data)
        return path

    def run_program(self, *flags, **environment):
        """(exit code, standard output, standard error)."""
        common = ["--artifacts=" + self.artifacts, "--registry=" + self.registry] if flags else []
        own = {"ASSAY_CACHE": os.path.join(self.root, "cache")}
        return captured(program.main, ["artifacts", *flags, *common], {**own, **environment})

    def records(self, *flags, **environment):
        code, out, err = self.run_program(*flags, "--format=json", **environment)
        self.assertIn(code, (0, 1, 2), err)
        return json.loads(out)

    def snapshot(self):
        return {
            os.path.join(folder, name): (os.stat(os.path.join(folder, name)).st_mtime_ns)
            for folder, _, names in os.walk(self.artifacts)
            for name in names
        }
