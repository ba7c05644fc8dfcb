"""Blobs are found in each place, and never with another digest."""

import hashlib
import os
import tempfile
import unittest

from tools.artifacts.blob_source import BlobSource, object_url
from tools.artifacts.format.lock_table import Row

DATA = b"blob"
ROW = Row(hashlib.sha256(DATA).hexdigest(), len(DATA), "embedded", "p")


class BlobSourceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def put(self, where, data=DATA):
        folder = os.path.join(self.folder, where)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, ROW.sha256 + ".safetensors"), "wb") as f:
            f.write(data)
        return folder

    def test_the_tree_then_the_staged_ones_then_the_bucket_are_asked(self):
        self.assertIsNone(BlobSource(self.folder).read(ROW))
        bucket = self.put("bucket")
        for address in (bucket, bucket + "/", "file://" + bucket):
            self.assertEqual(DATA, BlobSource(self.folder, address).read(ROW))
        self.put("staged")
        self.assertEqual(DATA, BlobSource(self.folder).read(ROW))

    def test_a_damaged_copy_is_passed_over_with_both_digests(self):
        self.put("blobs", b"blub")
        source = BlobSource(self.folder, self.put("bucket"))
        self.assertEqual(DATA, source.read(ROW))
        self.assertIn(ROW.sha256, source.complaints[0])
        self.assertIn(hashlib.sha256(b"blub").hexdigest(), source.complaints[0])

    def test_a_bucket_that_cannot_be_read_is_a_complaint_not_a_crash(self):
        source = BlobSource(self.folder, "/nowhere")
        self.assertIsNone(source.read(ROW))
        self.assertIn("/nowhere", source.complaints[0])
        BlobSource(self.folder, "not a url").read(ROW)

    def test_addresses_of_buckets(self):
        for bucket, want in {
            "/a/b/": "file:///a/b/n",
            "file:///a": "file:///a/n",
            "https://h/p": "https://h/p/n",
            "gs://b": "https://storage.googleapis.com/b/n",
            "gs://b/p/": "https://storage.googleapis.com/b/p/n",
        }.items():
            self.assertEqual(want, object_url(bucket, "n"))


if __name__ == "__main__":
    unittest.main()
