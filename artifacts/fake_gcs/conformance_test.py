"""Google's own client works with the fake as it does with Cloud Storage.

Run under @gcs_python. crc32c.py is checked here too: against published vectors and Google's compiled implementation.
"""

import os
import random
import tempfile
import threading
import unittest

import google_crc32c
import requests
from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.auth.exceptions import InvalidOperation
from google.cloud import storage
from google.cloud.storage.retry import DEFAULT_RETRY

from artifacts.fake_gcs import crc32c
from artifacts.fake_gcs.faults import FaultRule
from artifacts.fake_gcs.server import FakeGcs

_RETRY = DEFAULT_RETRY.with_delay(initial=0.01, maximum=0.02).with_timeout(20)
_BIG = random.Random(0).randbytes(9 << 20)  # over the client's 8 MiB: a resumable upload


class Crc32cTest(unittest.TestCase):
    def test_published_vectors(self):
        # RFC 3720, appendix B.4, and the check value of the CRC catalogue.
        for data, value in (
            (b"", 0),
            (b"123456789", 0xE3069283),
            (b"\0" * 32, 0x8A9136AA),
            (b"\xff" * 32, 0x62A8AB43),
            (bytes(range(32)), 0x46DD794E),
            (bytes(range(31, -1, -1)), 0x113FDB5C),
        ):
            self.assertEqual(value, crc32c.crc32c(data))

    def test_agrees_with_googles_for_every_length_and_in_pieces(self):
        data = _BIG[:70]
        for length in range(70):
            self.assertEqual(google_crc32c.value(data[:length]), crc32c.crc32c(data[:length]))
            self.assertEqual(crc32c.crc32c(data), crc32c.crc32c(data[length:], crc32c.crc32c(data[:length])))


class ConformanceTest(unittest.TestCase):
    def setUp(self):
        self.gcs = FakeGcs()
        self.gcs.__enter__()
        self.addCleanup(self.gcs.stop)
        os.environ["STORAGE_EMULATOR_HOST"] = self.gcs.url
        os.environ["DISABLE_GCS_PYTHON_CLIENT_OTEL_BUCKET_METADATA"] = "true"
        client = storage.Client(project="test", credentials=AnonymousCredentials())
        self.addCleanup(client.close)
        self.bucket = client.bucket("b")

    def upload(self, name, data, **how):
        arguments = dict({"checksum": "crc32c", "retry": _RETRY, "timeout": 20, "if_generation_match": 0}, **how)
        with tempfile.NamedTemporaryFile() as f:
            f.write(data)
            f.flush()
            self.bucket.blob(name).upload_from_filename(f.name, **arguments)

    def test_small_and_big_objects_come_back_with_their_metadata(self):
        for name, data in (("small", b"data"), ("big", _BIG), ("empty", b"")):
            blob = self.bucket.blob(name)
            blob.metadata = {"sha256": "0" * 64}
            blob.upload_from_string(data, checksum="crc32c", if_generation_match=0, retry=_RETRY)
            got = self.bucket.get_blob(name)
            self.assertEqual(data, got.download_as_bytes())
            self.assertEqual((len(data), {"sha256": "0" * 64}), (got.size, got.metadata))
            self.assertEqual(crc32c.encoded(data), got.crc32c)
            if data:
                self.assertEqual(data[2:4], got.download_as_bytes(start=2, end=3))
        self.assertIsNone(self.bucket.get_blob("absent"))

    def test_a_second_creator_gets_precondition_failed(self):
        for first in (b"small", _BIG):
            self.upload("n%d" % len(first), first)
            for second in (b"small", _BIG):
                with self.assertRaises(exceptions.PreconditionFailed):
                    self.upload("n%d" % len(first), second)
            self.assertEqual(first, self.gcs.objects("b")["n%d" % len(first)])

    def test_of_24_racing_creators_one_creates(self):
        together, outcomes = threading.Barrier(24), []

        def create(number):
            together.wait()
            try:
                self.upload("n", b"%d" % number)
                outcomes.append((200, b"%d" % number))
            except exceptions.PreconditionFailed:
                outcomes.append((412, b""))

        threads = [threading.Thread(target=create, args=(n,)) for n in range(24)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        self.assertEqual([200] + [412] * 23, sorted(status for status, _ in outcomes))
        self.assertEqual([data for status, data in outcomes if status == 200], [self.gcs.objects("b")["n"]])

    def test_a_spoiled_upload_is_refused_and_nothing_is_visible(self):
        self.gcs.script(FaultRule(method="POST", path="multipart", wrong_bytes=True))
        self.gcs.script(FaultRule(method="PUT", wrong_bytes=True))
        for data in (b"small", _BIG):
            with self.assertRaises(exceptions.BadRequest):
                self.upload("n", data)
        self.assertEqual({}, self.gcs.objects("b"))

    def test_what_the_client_retries(self):
        for status in (408, 429, 500, 502, 503, 504):
            self.gcs.script(FaultRule(method="POST", times=2, status=status))
            self.upload("n%d" % status, b"data")
        self.gcs.script(FaultRule(method="POST", times=1, reset="before"))
        self.upload("reset", b"data")
        self.assertEqual({b"data"}, set(self.gcs.objects("b").values()))

    def test_what_the_client_does_not_retry(self):
        for status in (400, 401, 403, 404, 410, 412, 501):
            before = len(self.gcs.requests)
            self.gcs.script(FaultRule(method="POST", times=1, status=status))
            # On 401 the client asks its credentials for a new token; anonymous ones have none.
            with self.assertRaises((exceptions.GoogleAPICallError, InvalidOperation)):
                self.upload("n", b"data")
            self.assertEqual(1, len(self.gcs.requests) - before)

    def test_a_reply_lost_after_storing_looks_like_another_writer(self):
        self.gcs.script(FaultRule(method="POST", times=1, reset="after"))
        with self.assertRaises(exceptions.PreconditionFailed):
            self.upload("n", b"data")
        self.assertEqual(b"data", self.gcs.objects("b")["n"])

    def test_a_cut_download_goes_on_by_range(self):
        self.gcs.put("b", "n", _BIG)
        self.gcs.script(FaultRule(method="GET", times=2, cut_after=1 << 20))
        self.assertEqual(_BIG, self.bucket.blob("n").download_as_bytes(retry=_RETRY))
        ranges = [r.headers["range"] for r in self.gcs.requests if "range" in r.headers]
        self.assertEqual(2, len(ranges))
        self.assertTrue(ranges[0].startswith("bytes=1048576-"), ranges)

    def test_a_changed_download_is_noticed(self):
        self.gcs.put("b", "n", b"data")
        self.gcs.script(FaultRule(method="GET", wrong_bytes=True))
        with self.assertRaises(Exception) as caught:
            self.bucket.blob("n").download_as_bytes(checksum="crc32c")
        self.assertEqual("DataCorruption", type(caught.exception).__name__)

    def test_reads_and_deletes_obey_generations(self):
        generation = self.gcs.put("b", "n", b"data").generation
        self.assertEqual(b"data", self.bucket.blob("n").download_as_bytes(if_generation_match=generation))
        with self.assertRaises(exceptions.PreconditionFailed):
            self.bucket.blob("n").download_as_bytes(if_generation_match=generation + 1)
        with self.assertRaises(exceptions.PreconditionFailed):
            self.bucket.blob("n").delete(if_generation_match=generation + 1)
        self.bucket.blob("n").delete(if_generation_match=generation)
        self.assertEqual({}, self.gcs.objects("b"))

    def test_lists_and_permissions(self):
        for name in ("a/1", "a/2", "b"):
            self.gcs.put("b", name, b"")
        self.assertEqual(["a/1", "a/2"], [blob.name for blob in self.bucket.list_blobs(prefix="a/")])
        pages = self.bucket.list_blobs(delimiter="/", max_results=10, page_size=1)
        self.assertEqual((["b"], {"a/"}), ([blob.name for blob in pages], set(pages.prefixes)))
        asked = ["storage.objects.create", "storage.objects.get"]
        self.assertEqual(asked, self.bucket.test_iam_permissions(asked))

    def test_an_anonymous_reader_gets_an_object_by_its_public_address(self):
        self.upload("folder/n", b"data")
        answer = requests.get(self.gcs.url + "/b/folder/n", timeout=10)
        self.assertEqual((200, b"data"), (answer.status_code, answer.content))


if __name__ == "__main__":
    unittest.main()
