"""Blobs are found in each place, and never with another digest."""

import hashlib
import os
import tempfile
import unittest

from artifacts.fetch.cache import BlobCache
from artifacts.fetch.settings import Settings
from artifacts.fetch.sources import parse_sources
from artifacts.fake_gcs.server import FakeGcs
from artifacts.format.lock_table import Row
from tools.artifacts.generate import committed

DATA = b"blob"
ROW = Row(hashlib.sha256(DATA).hexdigest(), len(DATA), "embedded", "p")


class CommittedTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def put(self, where, data=DATA):
        folder = os.path.join(self.folder, where)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, ROW.object_name), "wb") as f:
            f.write(data)
        return folder

    def blobs(self, bucket=""):
        cache = BlobCache(os.path.join(self.folder, "cache"))
        settings = Settings(sleep=lambda seconds: None)
        return committed.Blobs(self.folder, parse_sources(bucket, self.folder), cache, settings)

    def test_the_tree_then_the_staged_ones_then_the_bucket_are_asked(self):
        self.assertIsNone(self.blobs().read(ROW))
        bucket = self.put("bucket")
        for address in (bucket, bucket + "/", "file://" + bucket, "bucket", "/nowhere,bucket"):
            self.assertEqual(DATA, self.blobs(address).read(ROW))
        self.put("staged")
        self.assertEqual(os.path.join(self.folder, "staged", ROW.object_name), self.blobs(bucket).path(ROW))
        self.put("blobs")
        self.assertEqual(os.path.join(self.folder, "blobs", ROW.object_name), self.blobs(bucket).path(ROW))

    def test_a_server_is_asked_and_its_answer_is_kept_in_the_cache(self):
        with FakeGcs(buckets=("b",)) as gcs:
            gcs.put("b", ROW.object_name, DATA)
            self.assertEqual(DATA, self.blobs(gcs.url + "/b").read(ROW))
            url = gcs.url + "/b"
        self.assertEqual(DATA, self.blobs(url).read(ROW))

    def test_a_damaged_copy_is_passed_over_and_named(self):
        for wrong in (b"blub", b"", b"blob and more"):
            self.put("blobs", wrong)
            source = self.blobs(self.put("bucket"))
            self.assertEqual(DATA, source.read(ROW))
            self.assertIn(ROW.sha256, source.complaints[0])
            self.assertIn(os.path.join("blobs", ROW.object_name), source.complaints[0])

    def test_wrong_bytes_of_a_bucket_are_never_taken(self):
        source = self.blobs(self.put("bucket", b"blub"))
        self.assertIsNone(source.read(ROW))
        self.assertIn(hashlib.sha256(b"blub").hexdigest()[:8], source.complaints[0])

    def test_a_bucket_that_cannot_be_read_is_a_complaint_not_a_crash(self):
        source = self.blobs("/nowhere")
        self.assertIsNone(source.read(ROW))
        self.assertIn("/nowhere", source.complaints[0])


if __name__ == "__main__":
    unittest.main()
