"""A folder bucket never shows half an object and never replaces one, whoever else writes and whenever it is killed."""

import errno
import fcntl
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

from artifacts.fetch import sources
from tools.artifacts.upload.bucket import ABSENT, CREATED, THERE, DifferentObject, Settings, Stopped, UploadError
from tools.artifacts.upload.folder_bucket import FolderBucket
from tools.artifacts.upload.local_blobs import BlobError
from tools.artifacts.upload.test_tree import item, write

# Creates the object in a process of its own, from a file of its own; dies by SIGKILL at the call named on its command line.
_CHILD = """
import os, signal, sys
from unittest import mock
from tools.artifacts.upload import folder_bucket, local_blobs, test_tree
from tools.artifacts.upload.bucket import DifferentObject, Settings
bucket_folder, path, deadly = sys.argv[1:]
with open(path, "rb") as f:
    what = test_tree.item("%s.%d" % (path, os.getpid()), f.read())
bucket = folder_bucket.FolderBucket(bucket_folder, Settings())
bucket.check()
if deadly:
    setattr(os, deadly, lambda *a, **k: os.kill(os.getpid(), signal.SIGKILL))
try:
    print(bucket.create(what))
except DifferentObject:
    print("different")
"""


class FolderBucketTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.there = os.path.join(self.folder, "deep", "bucket")
        self.item = item(os.path.join(self.folder, "one"), b"x" * 3_000_000)
        self.other = item(os.path.join(self.folder, "two"), b"y" * 3_000_000)

    def bucket(self, settings=Settings()):
        bucket = FolderBucket(self.there, settings)
        bucket.check()
        return bucket

    def data(self):
        """name -> first byte and length of what is visible."""
        names = [n for n in os.listdir(self.there) if not n.startswith(".")] if os.path.isdir(self.there) else []
        found = {}
        for name in names:
            with open(os.path.join(self.there, name), "rb") as f:
                data = f.read()
            found[name] = (data[:1], len(data))
        return found

    def test_creates_once_finds_equal_and_refuses_different(self):
        bucket = self.bucket()
        self.assertEqual(ABSENT, bucket.find(self.item))
        self.assertEqual([CREATED, THERE], [bucket.create(self.item), bucket.create(self.item)])
        self.assertEqual(THERE, bucket.find(self.item))
        with self.assertRaisesRegex(DifferentObject, "3000000 bytes, sha256 .* Nothing was overwritten"):
            bucket.create(self.other)
        self.assertEqual({"object": (b"x", 3_000_000)}, self.data())
        self.assertEqual(["object"], os.listdir(self.there), "no temporary file is left")

    def test_a_difference_in_size_shows_the_digest_of_what_is_there(self):
        os.makedirs(self.there)
        with open(os.path.join(self.there, self.item.name), "wb") as f:
            f.write(b"short")
        digest = hashlib.sha256(b"short").hexdigest()[:16]
        with self.assertRaisesRegex(DifferentObject, "there 5 bytes, sha256 %s; here" % digest):
            self.bucket().create(self.item)

    def test_of_48_racing_threads_one_creates(self):
        bucket, together, outcomes = self.bucket(), threading.Barrier(48), []

        def create(number):
            together.wait()
            try:
                outcomes.append(bucket.create(self.other if number % 3 else self.item))
            except DifferentObject:
                outcomes.append("different")

        threads = [threading.Thread(target=create, args=(n,)) for n in range(48)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        winner = self.data()["object"][0]
        equal = 16 if winner == b"x" else 32
        self.assertEqual((1, equal - 1), (outcomes.count(CREATED), outcomes.count(THERE)))
        self.assertEqual(48 - equal, outcomes.count("different"))
        self.assertEqual(["object"], os.listdir(self.there))

    def child(self, path, deadly=""):
        command = [sys.executable, "-c", _CHILD, self.there, path, deadly]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def test_two_processes_with_the_same_bytes_both_succeed_and_with_different_ones_one_wins(self):
        for second, allowed in (("one", {CREATED, THERE}), ("two", {CREATED, "different"})):
            pair = [self.child(os.path.join(self.folder, name)) for name in ("one", second)]
            said = [process.communicate(timeout=60)[0].strip() for process in pair]
            self.assertEqual(1, said.count(CREATED))
            self.assertEqual(allowed, set(said))
            first = b"x" if second == "one" or said[0] == CREATED else b"y"
            self.assertEqual({"object": (first, 3_000_000)}, self.data())
            os.unlink(os.path.join(self.there, "object"))

    def test_killed_at_any_step_nothing_partial_is_visible_and_the_next_run_succeeds_and_sweeps(self):
        for deadly, visible in (("write", {}), ("fsync", {}), ("link", {}), ("unlink", {"object": (b"x", 3_000_000)})):
            with self.child(os.path.join(self.folder, "one"), deadly) as process:
                self.assertEqual(-signal.SIGKILL, process.wait(timeout=60), deadly)
            self.assertEqual(visible, self.data(), deadly)
            left = [n for n in os.listdir(self.there) if n.startswith(".")]
            self.assertEqual(1, len(left), "the kill came where it was meant to")
            self.assertEqual(THERE if visible else CREATED, self.bucket().create(self.item))
            self.assertEqual(["object"], os.listdir(self.there), "swept")
            os.unlink(os.path.join(self.there, "object"))

    def test_a_sweep_spares_what_another_uploader_is_writing(self):
        bucket = self.bucket()
        with bucket._temporary() as (_, name):
            self.bucket()
            self.assertIn(name, os.listdir(self.there))

    def test_a_file_that_changed_since_it_was_checked_is_not_published(self):
        bucket = self.bucket()
        for changed, complaint in ((b"z" * 3_000_000, "sha256"), (b"z", "1 bytes, the lock says 3000000")):
            write(self.item.path, changed)
            with self.assertRaisesRegex(BlobError, complaint):
                bucket.create(self.item)
        self.assertEqual([], os.listdir(self.there))

    def test_what_is_no_plain_file_in_the_place_of_an_object_is_neither_followed_nor_waited_for(self):
        bucket = self.bucket()
        path = os.path.join(self.there, "object")
        for make, complaint in (
            (lambda: os.symlink("nowhere", path), "symbolic link"),
            (lambda: os.symlink(self.item.path, path), "symbolic link"),
            (lambda: os.mkdir(path), "not a plain file"),
            (lambda: os.mkfifo(path), "not a plain file"),
        ):
            make()
            with self.assertRaisesRegex(DifferentObject, "^%s.*%s.*; remove it if it isn't yours" % (path, complaint)):
                bucket.create(self.item)
            self.assertEqual(["object"], os.listdir(self.there), "no temporary file is left")
            (os.rmdir if os.path.isdir(path) and not os.path.islink(path) else os.unlink)(path)

    def test_an_object_that_cannot_be_read_is_not_called_different(self):
        bucket = self.bucket()
        bucket.create(self.item)
        there = os.path.join(self.there, "object")
        for where, number in (("os.open", errno.EACCES), ("tools.artifacts.upload.folder_bucket.sha256_of", errno.EIO)):
            why = os.strerror(number)
            with mock.patch(where, side_effect=OSError(number, why)):
                with self.assertRaisesRegex(UploadError, "^%s is there, but can't be read: %s" % (there, why)):
                    bucket.find(self.item)

    def test_below_a_link_that_leads_nowhere_nothing_is_written_anywhere(self):
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        empty = os.path.join(self.folder, "empty")
        os.mkdir(empty)
        os.chdir(empty)
        link = os.path.join(self.folder, "link")
        os.symlink("nowhere", link)
        for folder in (link, os.path.join(link, "bucket")):
            bucket = FolderBucket(folder, Settings())
            for _ in range(2):
                with self.assertRaisesRegex(UploadError, "%s: not a folder that can be used" % folder):
                    bucket.check()
            with self.assertRaisesRegex(UploadError, "Bad file descriptor"):
                bucket.create(self.item)
        self.assertEqual([], os.listdir(empty))

    def test_a_name_that_is_taken_and_then_free_is_no_success(self):
        bucket = self.bucket()
        with mock.patch("os.link", side_effect=FileExistsError(errno.EEXIST, "File exists")):
            with self.assertRaisesRegex(UploadError, "/object was there and is gone; run this again"):
                bucket.create(self.item)
        self.assertEqual([], os.listdir(self.there))

    def test_what_the_surroundings_do_is_said(self):
        write(os.path.join(self.folder, "file"), b"")
        with self.assertRaisesRegex(UploadError, "not a folder"):
            FolderBucket(os.path.join(self.folder, "file"), Settings()).check()
        bucket = self.bucket()
        for call, number, complaint in (
            ("os.link", errno.ENOSPC, "is full: object needs 3000000 bytes, [0-9]+ are free"),
            ("os.link", errno.EOPNOTSUPP, "has no hard links, .* .Operation not supported"),
            ("os.link", errno.EPERM, "has no hard links, .* .Operation not permitted"),
            ("os.link", errno.EIO, "Input/output"),
            ("fcntl.flock", errno.ENOLCK, "has no locks, .* .No locks available"),
            ("fcntl.flock", errno.EOPNOTSUPP, "has no locks, .* .Operation not supported"),
            ("fcntl.flock", errno.ENOSYS, "has no locks, .* .Function not implemented"),
            ("os.fsync", errno.EPERM, "object: Operation not permitted"),
        ):
            with mock.patch(call, side_effect=OSError(number, os.strerror(number))):
                with self.assertRaisesRegex(UploadError, complaint):
                    bucket.create(self.item)
            self.assertEqual([], os.listdir(self.there), "no temporary file is left")
        for call in ("os.listdir", "os.open"):
            with mock.patch(call, side_effect=OSError(errno.EIO, "Input/output error")):
                with self.assertRaisesRegex(UploadError, "not a folder that can be used: Input/output"):
                    bucket.check()

    def test_a_sweep_between_the_making_of_a_file_and_its_lock_is_survived(self):
        bucket, lock, swept = self.bucket(), fcntl.flock, []

        def sweep_first(descriptor, how):
            if not swept:
                swept.extend(os.listdir(self.there))
                os.unlink(os.path.join(self.there, swept[0]))
            lock(descriptor, how)

        with mock.patch("fcntl.flock", sweep_first):
            self.assertEqual(CREATED, bucket.create(self.item))
        self.assertEqual(["object"], os.listdir(self.there))
        self.assertEqual(1, len(swept))

    def test_stopping_abandons_a_copy(self):
        settings = Settings(stop=threading.Event())
        bucket = self.bucket(settings)
        settings.stop.set()
        with self.assertRaises(Stopped):
            bucket.create(self.item)
        self.assertEqual([], os.listdir(self.there))

    def test_the_address_for_readers_is_read_back_as_the_same_folder(self):
        for folder in ("/data/assay", "/with space/100%/a,b/\u00fc"):
            value = FolderBucket(folder, Settings()).bazelrc_value
            self.assertNotIn(" ", value)
            self.assertEqual([folder], [source.folder for source in sources.parse_sources(value, "/")])

    def test_a_look_makes_no_folder(self):
        bucket = FolderBucket(self.there, Settings())
        bucket.check(writing=False)
        self.assertEqual(ABSENT, bucket.find(self.item))
        self.assertFalse(os.path.exists(self.there))


if __name__ == "__main__":
    unittest.main()
