"""Blobs are written whole: existing ones stay untouched, damaged ones are replaced, leftovers are removed."""

import hashlib
import os
import tempfile
import unittest
from unittest import mock

from artifacts.format.lock_table import Row
from tools.artifacts.generate import stage

DATA = b"blob" * 1000
ROW = Row(hashlib.sha256(DATA).hexdigest(), len(DATA), "embedded", "p")


class StageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.source = os.path.join(folder.name, "made")
        with open(self.source, "wb") as f:
            f.write(DATA)
        self.folder = os.path.join(folder.name, "bucket")
        self.path = os.path.join(self.folder, ROW.object_name)

    def content(self):
        with open(self.path, "rb") as f:
            return f.read()

    def test_a_blob_gets_its_object_name(self):
        self.assertTrue(stage.put(self.folder, ROW, self.source))
        self.assertEqual(([ROW.object_name], DATA), (os.listdir(self.folder), self.content()))
        module = ROW._replace(role="module")
        self.assertTrue(stage.put(self.folder, module, self.source))
        self.assertTrue(os.path.exists(os.path.join(self.folder, ROW.sha256 + ".pt2")))

    def test_what_is_there_is_not_touched(self):
        stage.put(self.folder, ROW, self.source)
        os.utime(self.path, (1, 1))
        self.assertFalse(stage.put(self.folder, ROW, self.source))
        self.assertEqual(1, os.stat(self.path).st_mtime)

    def test_a_damaged_blob_is_written_again(self):
        stage.put(self.folder, ROW, self.source)
        for wrong in (b"", DATA[:-1], DATA[:-1] + b"?"):
            with open(self.path, "wb") as f:
                f.write(wrong)
            self.assertTrue(stage.put(self.folder, ROW, self.source))
            self.assertEqual(DATA, self.content())

    def test_row_12_a_full_disk_leaves_nothing(self):
        with mock.patch("os.fsync", side_effect=OSError(28, "No space left on device")), self.assertRaises(OSError):
            stage.put(self.folder, ROW, self.source)
        self.assertEqual([], os.listdir(self.folder))

    def test_what_a_killed_run_left_is_removed(self):
        os.mkdir(self.folder)
        for name in (ROW.object_name + ".tmp.1", "lock.bzl.tmp.2", "kept.txt"):
            open(os.path.join(self.folder, name), "w").close()
        stage.sweep(self.folder)
        self.assertEqual(["kept.txt"], os.listdir(self.folder))


if __name__ == "__main__":
    unittest.main()
