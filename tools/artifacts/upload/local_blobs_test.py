"""Only plain files with the lock's size and digest are sent, and what is missing or wrong is named."""

import os
import tempfile
import unittest

from artifacts.format import lock_table
from tools.artifacts.upload import local_blobs
from tools.artifacts.upload.test_tree import Tree, write


class CollectTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.other = os.path.join(folder.name, "other")
        blobs = {"a_fp32": b"1", "a_fp64": b"1", "staged_b": b"22", "c": b"333"}
        self.tree = Tree(os.path.join(folder.name, "artifacts"), blobs)

    def collect(self, pattern="", folders=("blobs", "staged")):
        where = [os.path.join(self.tree.folder, f) for f in folders] + [self.other]
        return local_blobs.collect(lock_table.read(os.path.join(self.tree.folder, "lock.bzl")), pattern, where)

    def test_rows_of_one_blob_are_one_item_and_the_filter_looks_at_keys(self):
        items, missing, complaints = self.collect()
        self.assertEqual([("a_fp32", "a_fp64"), ("c",), ("staged_b",)], [item.keys for item in items])
        self.assertEqual(([], []), (missing, complaints))
        self.assertEqual([("staged_b",)], [item.keys for item in self.collect("^staged")[0]])

    def test_a_missing_blob_is_named_and_found_elsewhere(self):
        os.unlink(self.tree.path("c"))
        self.assertEqual([("c",)], [m.keys for m in self.collect()[1]])
        write(os.path.join(self.other, self.tree.name("c")), b"333")
        items, missing, _ = self.collect()
        self.assertEqual((3, []), (len(items), missing))

    def test_wrong_bytes_links_folders_and_fifos_are_complaints(self):
        path = self.tree.path("c")
        for make, complaint in (
            (lambda: write(path, b"334"), "sha256 is"),
            (lambda: write(path, b"33"), "2 bytes, the lock says 3"),
            (lambda: os.symlink(self.tree.path("a_fp32"), path), "symbolic link"),
            (lambda: os.symlink("nowhere", path), "symbolic link"),
            (lambda: os.mkdir(path), "not a plain file|Is a directory"),
            (lambda: os.mkfifo(path), "not a plain file"),
        ):
            os.unlink(path) if not os.path.isdir(path) else os.rmdir(path)
            make()
            items, _, complaints = self.collect()
            self.assertEqual(2, len(items), complaint)
            self.assertRegex(complaints[0], complaint)

    def test_a_rotten_copy_is_a_complaint_though_another_folder_has_the_right_one(self):
        write(os.path.join(self.other, self.tree.name("c")), b"334")
        items, missing, complaints = self.collect()
        self.assertEqual((3, 0, 0), (len(items), len(missing), len(complaints)), "not looked for once found")
        write(self.tree.path("c"), b"334")
        write(os.path.join(self.other, self.tree.name("c")), b"333")
        items, _, complaints = self.collect()
        self.assertEqual((3, 1), (len(items), len(complaints)))


if __name__ == "__main__":
    unittest.main()
