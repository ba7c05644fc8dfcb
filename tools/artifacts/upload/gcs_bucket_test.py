"""Uploads to Cloud Storage end as they should whatever the server does: the faults of the fake, one by one."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

from google.auth.credentials import AnonymousCredentials
from google.oauth2.credentials import Credentials

from artifacts.fake_gcs import crc32c
from artifacts.fake_gcs.faults import FaultRule
from artifacts.fake_gcs.server import CREATE_ONLY, READ_ONLY, FakeGcs
from tools.artifacts.upload import gcs_bucket, resuming_blob
from tools.artifacts.upload.bucket import ABSENT, CREATED, THERE, DifferentObject, Settings, UploadError
from tools.artifacts.upload.gcs_bucket import GcsBucket
from tools.artifacts.upload.local_blobs import BlobError
from tools.artifacts.upload.test_tree import item, write

_PIECE_BYTES = 5 << 20
_BIG = random.Random(1).randbytes(9 << 20)  # a resumable upload, in two pieces
_CHILD = """
import os, sys
from tools.artifacts.upload import resuming_blob, test_tree
from tools.artifacts.upload.bucket import DifferentObject, Settings
from tools.artifacts.upload.gcs_bucket import GcsBucket
resuming_blob.PIECE_BYTES = int(sys.argv[2])
with open(sys.argv[1], "rb") as f:
    what = test_tree.item(sys.argv[1] + ".%d" % os.getpid(), f.read())
try:
    print(GcsBucket("bucket", "p", Settings(), os.environ).create(what))
except DifferentObject:
    print("different")
"""


class GcsBucketTest(unittest.TestCase):
    def setUp(self):
        pieces = mock.patch.object(resuming_blob, "PIECE_BYTES", _PIECE_BYTES)
        pieces.start()
        self.addCleanup(pieces.stop)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.gcs = self.server()
        self.small = item(os.path.join(self.folder, "small"), b"data" * 1000)
        self.big = item(os.path.join(self.folder, "big"), _BIG)

    def server(self, **arguments):
        gcs = FakeGcs(buckets=("bucket",), **arguments)
        gcs.__enter__()
        self.addCleanup(gcs.stop)
        return gcs

    def bucket(self, gcs=None, name="bucket", deadline=20.0, token=None):
        environment = {"STORAGE_EMULATOR_HOST": (gcs or self.gcs).url}
        if token:
            identity = mock.patch.object(gcs_bucket, "AnonymousCredentials", lambda: Credentials(token=token))
            identity.start()
            self.addCleanup(identity.stop)
        return GcsBucket(name, "p", Settings(deadline=deadline, first_wait=0.01), environment)

    def stored(self):
        return self.gcs.objects("bucket")

    def methods(self):
        return [r.method for r in self.gcs.requests]

    def test_creates_with_declared_checksum_digest_and_no_encoding(self):
        for what in (self.small, self.big):
            self.assertEqual(CREATED, self.bucket().create(what))
            found = self.gcs.store.get("bucket", "p/object")
            with open(what.path, "rb") as f:
                self.assertEqual(f.read(), found.data)
            self.assertEqual(crc32c.encoded(found.data), found.attributes.crc32c)
            self.assertEqual({"sha256": what.sha256}, found.attributes.metadata)
            self.assertEqual("", found.attributes.content_encoding)
            self.assertIn("immutable", found.attributes.cache_control)
            self.gcs.store.delete("bucket", "p/object")
        creations = [r.path for r in self.gcs.requests if r.method == "POST"]
        self.assertTrue(all("ifGenerationMatch=0" in path for path in creations), creations)

    def test_an_equal_object_is_success_and_a_different_one_an_error(self):
        for what in (self.small, self.big):
            with open(what.path, "rb") as f:
                data = f.read()
            self.gcs.put("bucket", "p/object", data)
            generation = self.gcs.store.get("bucket", "p/object").generation
            self.assertEqual([THERE, THERE], [self.bucket().create(what), self.bucket().find(what)])
            self.assertEqual(generation, self.gcs.store.get("bucket", "p/object").generation)
            self.gcs.put("bucket", "p/object", b"another")
            complaint = "gs://bucket/p .*object is another object: there 7 bytes, md5 .*; here %d bytes.*Nothing was"
            with self.assertRaisesRegex(DifferentObject, complaint % what.size):
                self.bucket().create(what)
            self.assertEqual({"p/object": b"another"}, self.stored())
            self.gcs.store.delete("bucket", "p/object")
        self.assertEqual(ABSENT, self.bucket().find(self.small))

    def test_a_forged_object_of_equal_size_and_crc32c_is_another(self):
        # A CRC does not see a multiple of its polynomial: x^32 first, the lowest bit of each byte first.
        polynomial = (0x82F63B78 << 1 | 1).to_bytes(5, "little")
        for what in (self.small, self.big):
            with open(what.path, "rb") as f:
                data = f.read()
            forged = bytes(a ^ b for a, b in zip(data, polynomial)) + data[5:]
            self.assertEqual(crc32c.crc32c(data), crc32c.crc32c(forged))
            self.assertNotEqual(data, forged)
            for composed in (False, True):
                self.gcs.put("bucket", "p/object", forged, composed=composed)
                for step in (self.bucket().find, self.bucket().create):
                    with self.assertRaisesRegex(DifferentObject, "is another object: .*Nothing was"):
                        step(what)
                self.gcs.put("bucket", "p/object", data, composed=composed)
                self.assertEqual(THERE, self.bucket().create(what))

    def test_who_may_create_but_not_read_is_told_what_is_missing(self):
        gcs = self.server(tokens={"t": CREATE_ONLY})
        bucket = self.bucket(gcs, token="t")
        bucket.check()
        for what in (self.small, self.big._replace(name="big")):
            self.assertEqual(CREATED, bucket.create(what))
            with self.assertRaisesRegex(UploadError, "it may exist already, and could not be compared .that takes st"):
                bucket.create(what)
        gcs.script(FaultRule(method="POST", status=412))
        with self.assertRaisesRegex(UploadError, "it exists already, and could not be compared .that takes storage"):
            bucket.create(self.small)

    def test_who_may_create_and_read_but_not_replace_finds_an_equal_object(self):
        """Cloud Storage may answer 403 instead of 412 to whoever may not delete."""
        gcs = self.server(tokens={"t": CREATE_ONLY | READ_ONLY})
        bucket = self.bucket(gcs, token="t")
        for what in (self.small, self.big):
            with open(what.path, "rb") as f:
                data = f.read()
            for there, outcome in ((data, THERE), (b"another", DifferentObject)):
                # Comes between the look at a big object and its end.
                gcs.script(FaultRule(method="P.*", times=1, call=lambda _, d=there: gcs.put("bucket", "p/object", d)))
                if outcome is THERE:
                    self.assertEqual(THERE, bucket.create(what))
                else:
                    with self.assertRaises(outcome):
                        bucket.create(what)
                self.assertEqual({"p/object": there}, gcs.objects("bucket"))
                gcs.store.delete("bucket", "p/object")
        for status, complaint in ((403, "not allowed .403."), (412, "412 .*no such object: run this again")):
            gcs.script(FaultRule(method="POST", times=1, status=status))
            with self.assertRaisesRegex(UploadError, "object: gs://bucket/p .*" + complaint):
                bucket.create(self.small)

    def test_a_big_object_that_is_there_is_not_sent(self):
        self.gcs.put("bucket", "p/object", _BIG)
        self.assertEqual(THERE, self.bucket().create(self.big))
        self.assertEqual(["GET"], self.methods())

    def test_another_writer_between_the_look_and_the_end_wins(self):
        def another(_):
            self.gcs.put("bucket", "p/object", b"another")

        self.gcs.script(
            FaultRule(method="PUT", after=1, times=1, call=another),
            FaultRule(method="POST", path="multipart", call=another),
        )
        for what in (self.big, self.small):
            with self.assertRaises(DifferentObject):
                self.bucket().create(what)
        self.assertEqual({"p/object": b"another"}, self.stored())

    def test_a_reply_lost_after_storing_is_success(self):
        self.gcs.script(FaultRule(method="POST", path="multipart", times=1, reset="after"))
        self.assertEqual(THERE, self.bucket().create(self.small))
        self.gcs.store.delete("bucket", "p/object")
        self.gcs.script(FaultRule(method="PUT", after=1, times=1, reset="after"))
        self.assertIn(self.bucket().create(self.big), (CREATED, THERE))
        self.assertEqual({"p/object": _BIG}, self.stored())

    def test_goes_on_where_the_server_is_when_it_kept_less_than_was_sent(self):
        for kept in (262144, 5 * 262144, 0):
            before = len(self.gcs.requests)
            self.gcs.script(FaultRule(method="PUT", persist=kept, times=2))
            self.assertEqual(CREATED, self.bucket().create(self.big))
            self.assertEqual({"p/object": _BIG}, self.stored())
            ranges = [r.headers.get("content-range") for r in self.gcs.requests[before:] if r.method == "PUT"]
            if kept:
                self.assertTrue(ranges[1].startswith("bytes %d-" % kept), ranges)
                self.assertTrue(ranges[2].startswith("bytes %d-" % (2 * kept)), ranges)
            self.gcs.store.delete("bucket", "p/object")

    def test_a_server_that_keeps_nothing_for_ever_is_given_up(self):
        self.gcs.script(FaultRule(method="PUT", persist=0))
        with self.assertRaisesRegex(UploadError, "keeps nothing"):
            self.bucket(deadline=0.2).create(self.big)
        self.assertEqual({}, self.stored())

    def test_spoiled_on_the_way_is_sent_again_and_then_given_up(self):
        for what, rule in ((self.small, {"path": "multipart"}), (self.big, {"method": "PUT"})):
            self.gcs.script(FaultRule(wrong_bytes=True, times=1, **rule))
            self.assertEqual(CREATED, self.bucket().create(what))
            self.gcs.store.delete("bucket", "p/object")
            self.gcs.script(FaultRule(wrong_bytes=True, **rule))
            with self.assertRaisesRegex(UploadError, "object: gs://bucket/p .*: 400 Provided CRC32C"):
                self.bucket().create(what)
            self.assertEqual({}, self.stored())
            self.gcs.faults.clear()

    def test_throttled_broken_and_reset_requests_are_retried(self):
        self.gcs.script(
            FaultRule(method="POST", times=1, status=503),
            FaultRule(method="POST", times=1, status=429, retry_after=1),
            FaultRule(method="PUT", times=1, status=502),
            FaultRule(method="PUT", times=1, reset="before"),
        )
        self.assertEqual(CREATED, self.bucket().create(self.big))
        self.assertEqual({"p/object": _BIG}, self.stored())

    def test_a_lost_session_is_begun_again(self):
        self.gcs.script(FaultRule(method="PUT", after=1, times=1, kill_session=True))
        self.assertEqual(CREATED, self.bucket().create(self.big))
        self.assertEqual({"p/object": _BIG}, self.stored())

    def test_a_server_that_stays_broken_is_given_up_after_the_deadline(self):
        self.gcs.script(FaultRule(status=503))
        with self.assertRaisesRegex(UploadError, "gs://bucket/p .*gave up after 0.5 s"):
            self.bucket(deadline=0.5).create(self.small)

    def test_a_file_that_changed_since_it_was_checked_is_not_sent(self):
        for what in (self.small, self.big):
            write(what.path, b"z" * what.size)
            with self.assertRaisesRegex(BlobError, "sha256"):
                self.bucket().create(what)
        self.assertEqual({}, self.stored())

    def test_no_bucket_no_permission_and_nobody_there_are_said_at_once(self):
        with self.assertRaisesRegex(UploadError, "gs://absent/p .*no such bucket"):
            self.bucket(name="absent").check()
        with self.assertRaisesRegex(UploadError, "no permission to create objects .*objectCreator"):
            self.bucket(self.server(tokens={"t": READ_ONLY})).check()
        with self.assertRaisesRegex(UploadError, r"not allowed \(.*sign|credentials"):
            self.bucket(self.server(tokens={"t": READ_ONLY}, public=False)).check()
        gone = self.server()
        gone.stop()
        with self.assertRaisesRegex(UploadError, "gave up after 0.3 s of trying: .*refused"):
            self.bucket(gone, deadline=0.3).check()
        self.bucket().check()

    def test_the_address_for_readers_is_the_emulators_where_there_is_one(self):
        self.assertEqual(self.gcs.url + "/bucket/p", self.bucket().bazelrc_value)
        with mock.patch("google.auth.default", return_value=(AnonymousCredentials(), None)):
            self.assertEqual("gs://bucket/p", GcsBucket("bucket", "p", Settings(), {}).bazelrc_value)
            self.assertEqual("gs://bucket", GcsBucket("bucket", "", Settings(), {}).bazelrc_value)

    def test_no_other_request_than_the_upload_is_made(self):
        self.bucket().create(self.small)
        self.assertEqual(["POST"], self.methods())
        self.assertNotIn("authorization", self.gcs.requests[0].headers)

    def child(self, path):
        environment = dict(os.environ, STORAGE_EMULATOR_HOST=self.gcs.url)
        command = [sys.executable, "-c", _CHILD, path, str(_PIECE_BYTES)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)

    def test_two_processes_with_the_same_bytes_both_succeed_and_with_different_ones_one_wins(self):
        other = os.path.join(self.folder, "other")
        write(other, b"atad" * 1000)
        for second, allowed in ((self.small.path, {CREATED, THERE}), (other, {CREATED, "different"})):
            together = threading.Barrier(2)
            meet = lambda _, barrier=together: barrier.wait(timeout=30)  # both have sent all before either is stored
            self.gcs.script(FaultRule(method="POST", times=2, call=meet))
            pair = [self.child(path) for path in (self.small.path, second)]
            said = [process.communicate(timeout=60)[0].strip() for process in pair]
            self.assertEqual(1, said.count(CREATED))
            self.assertEqual(allowed, set(said))
            first = b"data" if second == self.small.path or said[0] == CREATED else b"atad"
            self.assertEqual({"p/object": first * 1000}, self.stored())
            self.gcs.store.delete("bucket", "p/object")
            self.gcs.faults.clear()

    def test_killed_in_the_middle_nothing_is_visible_and_the_next_run_succeeds(self):
        children = []

        def kill(_):
            children[0].send_signal(signal.SIGKILL)
            children[0].wait(timeout=30)

        self.gcs.script(FaultRule(method="PUT", times=1, call=kill))
        children.append(self.child(self.big.path))
        children[0].communicate(timeout=60)
        self.assertEqual(-signal.SIGKILL, children[0].returncode)
        self.assertEqual({}, self.stored())
        self.assertEqual(CREATED, self.bucket().create(self.big))
        self.assertEqual({"p/object": _BIG}, self.stored())


if __name__ == "__main__":
    unittest.main()
