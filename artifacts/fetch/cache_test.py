"""Rows 12 to 16 and 67 of the fault table: the cache's folder misbehaves, or other processes do."""

import contextlib
import errno
import fcntl
import glob
import os
import resource
import signal
import stat
import subprocess
import sys
import time
import unittest
from unittest import mock

from artifacts.fetch.cache import BlobCache, default_cache_folder
from artifacts.fetch.errors import CacheFailed, Unavailable, WrongContent
from artifacts.fetch.fetch import fetch
from artifacts.fetch.sources import SourceError
from artifacts.fetch.test_cases import DATA, FetchTest, blob_of
from artifacts.fake_gcs.faults import FaultRule

_HALF = len(DATA) // 2
_PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fetch_blob.py")


class FullDisk(FetchTest):
    def test_row_12_a_full_disk_leaves_nothing_and_says_how_much_is_needed_and_free(self):
        self.put()
        room = [_HALF]

        def write(file, data):
            if room[0] < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            room[0] -= len(data)
            return os.write(file, data)

        cache = BlobCache(self.cache_folder, settings=self.settings, write=write)
        with self.assertRaises(CacheFailed) as caught:
            fetch(self.blob, self.sources("b", "mirror"), cache, self.settings)
        self.assertEqual("ARTIFACT_UNAVAILABLE", caught.exception.outcome)
        self.assertRegex(str(caught.exception), r"needs %d bytes, \d+ are free in %s" % (len(DATA), self.cache_folder))
        self.assertEqual([], self.kept())
        self.assertEqual(1, len(self.gcs.requests))  # another source would not help
        self.assertEqual(DATA, self.fetch())

    def test_a_write_that_takes_only_a_part_is_gone_on_with(self):
        self.put()
        cache = BlobCache(self.cache_folder, settings=self.settings, write=lambda f, data: os.write(f, data[:1000]))
        with open(fetch(self.blob, self.sources("b"), cache, self.settings), "rb") as f:
            self.assertEqual(DATA, f.read())


class Folder(FetchTest):
    def goes_elsewhere(self, why, **arguments):
        """The cache's folder is not used, for this reason; the blob is in the scratch folder instead."""
        self.put()
        scratch = os.path.join(self.folder, "scratch")
        cache = BlobCache(self.cache_folder, scratch, self.settings, **arguments)
        path = fetch(self.blob, self.sources("b"), cache, self.settings)
        self.assertEqual(os.path.join(scratch, self.blob.name), path)
        self.assertIn("the cache %s can't be used: %s" % (self.cache_folder, why), self.lines[0])

    def test_row_13_a_folder_of_another_user(self):
        os.mkdir(self.cache_folder)
        self.goes_elsewhere("it belongs to user %d" % os.geteuid(), user=os.geteuid() + 1)
        self.assertEqual([], self.kept())

    def test_row_13_a_folder_that_everybody_may_write(self):
        os.mkdir(self.cache_folder)
        os.chmod(self.cache_folder, 0o777)
        self.goes_elsewhere("others than its owner may write there (chmod go-w)")

    def test_row_13_a_folder_that_its_group_may_write(self):
        os.mkdir(self.cache_folder)
        os.chmod(self.cache_folder, 0o770)
        self.goes_elsewhere("others than its owner may write there (chmod go-w)")

    def test_row_13_a_symbolic_link(self):
        target = os.path.join(self.folder, "elsewhere")
        os.mkdir(target)
        os.symlink(target, self.cache_folder)
        self.goes_elsewhere("is a symbolic link")
        self.assertEqual([], os.listdir(target))

    def test_row_13_a_file_in_its_place(self):
        with open(self.cache_folder, "w", encoding="ascii"):
            pass
        self.goes_elsewhere("File exists")

    def test_row_13_a_read_only_folder(self):
        self.put()
        os.mkdir(self.cache_folder, 0o555)
        os.chmod(self.folder, 0o755)
        scratch = os.path.join(self.folder, "scratch")
        os.mkdir(scratch)
        os.chmod(scratch, 0o700)
        nobody = 65534 if os.geteuid() == 0 else os.geteuid()  # root may write everywhere
        if os.geteuid() == 0:
            for path in (self.cache_folder, scratch):
                os.chown(path, nobody, nobody)

        def as_nobody():
            if os.geteuid() == 0:
                os.setgid(nobody)
                os.setuid(nobody)
            cache = BlobCache(self.cache_folder, scratch, self.settings)
            path = fetch(self.blob, self.sources("b"), cache, self.settings)
            return "it is read-only" in self.lines[0] and path == os.path.join(scratch, self.blob.name)

        self.assertTrue(_in_child(as_nobody))

    def test_row_13_a_blob_that_is_a_link_is_replaced_not_followed(self):
        self.put()
        os.mkdir(self.cache_folder)
        outside = os.path.join(self.folder, "outside")
        with open(outside, "wb") as f:
            f.write(DATA)  # even where its bytes are right
        path = os.path.join(self.cache_folder, self.blob.name)
        os.symlink(outside, path)
        self.assertEqual(DATA, self.fetch())
        self.assertFalse(os.path.islink(path))
        self.assertTrue(os.path.exists(outside))

    def test_row_13_links_in_the_place_of_our_own_small_files_are_not_written_through(self):
        os.mkdir(self.cache_folder)
        outside = os.path.join(self.folder, "outside")
        os.symlink(outside, os.path.join(self.cache_folder, ".%s.lock" % self.blob.sha256))
        self.put()
        with self.assertRaises(CacheFailed):
            self.fetch()
        self.assertFalse(os.path.exists(outside))

    def test_where_the_cache_is(self):
        self.assertEqual("/a/c", default_cache_folder({"ASSAY_CACHE": "/a/c", "XDG_CACHE_HOME": "/x"}))
        self.assertEqual("/x/assay/blobs", default_cache_folder({"XDG_CACHE_HOME": "/x", "HOME": "/h"}))
        self.assertEqual("/h/.cache/assay/blobs", default_cache_folder({"XDG_CACHE_HOME": "relative", "HOME": "/h"}))

    def test_row_13_a_cache_that_would_lie_in_the_current_folder_is_refused(self):
        for relative in ("cache", "./cache", "~/cache"):
            with self.subTest(relative=relative), self.assertRaisesRegex(SourceError, "want an absolute path"):
                default_cache_folder({"ASSAY_CACHE": relative, "HOME": "/h"})
        with mock.patch.dict("os.environ"), mock.patch("pwd.getpwuid", side_effect=KeyError):
            os.environ.pop("HOME", None)
            with self.assertRaisesRegex(SourceError, "there is no home folder"):
                default_cache_folder({})
            self.assertEqual("/x/assay/blobs", default_cache_folder({"XDG_CACHE_HOME": "/x"}))

    def test_the_folder_is_private_and_a_blob_is_read_only(self):
        self.put()
        self.fetch()
        self.assertEqual(0o700, stat.S_IMODE(os.stat(self.cache_folder).st_mode))
        self.assertEqual(0o444, stat.S_IMODE(os.stat(os.path.join(self.cache_folder, self.blob.name)).st_mode))


class Rot(FetchTest):
    def rot(self, data):
        path = os.path.join(self.cache_folder, self.blob.name)
        os.chmod(path, 0o644)
        with open(path, "wb") as f:
            f.write(data)

    def test_row_14_a_rotted_or_truncated_blob_is_set_aside_and_fetched_again(self):
        self.put()
        self.fetch()
        for rotten in (DATA[:-1] + b"x", DATA[:_HALF], b""):
            with self.subTest(length=len(rotten)):
                self.rot(rotten)
                self.assertEqual(DATA, self.fetch())
                with open(os.path.join(self.cache_folder, ".bad-" + self.blob.sha256[:8]), "rb") as f:
                    self.assertEqual(rotten, f.read())

    def test_row_14_without_a_source_a_rotted_blob_is_not_handed_out(self):
        self.put()
        self.fetch()
        self.rot(DATA[:_HALF])
        self.fails(Unavailable, "mirror")

    def test_a_good_one_needs_no_source(self):
        self.put()
        self.fetch()
        self.fetch(self.folder + "/none")
        self.assertEqual(1, len(self.gcs.requests))


class Refusals(FetchTest):
    """Row 67: the operating system refuses. A fault of one file is repaired, any other is one clear error."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.cache_folder, 0o700)
        self.put()
        self.path = os.path.join(self.cache_folder, self.blob.name)
        self.bad = ".bad-" + self.blob.sha256[:8]

    def refused(self, *words):
        """The message of a fetch that ends in one clear error."""
        with self.assertRaises(CacheFailed) as caught:
            self.fetch()
        for word in (self.cache_folder, "can't be used", *words):
            self.assertIn(word, str(caught.exception))

    def test_row_14_a_blob_under_a_bad_sector_is_set_aside_and_fetched_again(self):
        self.fetch()
        bad_sector = OSError(errno.EIO, os.strerror(errno.EIO))
        with mock.patch("artifacts.fetch.cache.sha256_of", side_effect=bad_sector):
            self.assertEqual(DATA, self.fetch())
        self.assertEqual([self.bad, self.blob.name], self.kept())

    def test_row_67_a_folder_in_the_blobs_place_is_set_aside(self):
        os.makedirs(os.path.join(self.path, "x"))
        self.assertEqual(DATA, self.fetch())
        self.assertEqual([self.bad, self.blob.name], self.kept())
        self.assertNotIn(os.path.join(self.cache_folder, self.bad), map(os.path.realpath, glob.glob("/proc/self/fd/*")))
        os.unlink(self.path)
        os.makedirs(os.path.join(self.path, "y"))  # and .bad- is a folder with something in it
        self.refused(self.blob.name, "Is a directory")
        self.assertEqual([self.bad, self.blob.name], self.kept())

    def test_row_67_a_folder_where_wrong_bytes_would_be_kept_hides_no_error(self):
        os.makedirs(os.path.join(self.cache_folder, self.bad, "x"))
        self.put(DATA[::-1])
        self.assertIn("another digest", self.fails(WrongContent))
        self.assertEqual([self.bad], self.kept())
        self.put()
        with open(self.path, "wb") as f:
            f.write(b"rotten")
        self.assertEqual(DATA, self.fetch())

    def test_row_67_folders_named_like_leftovers_are_left(self):
        digests = ("0" * 64, "1" * 64, self.blob.sha256)
        names = [".%s.1.tmp" % digest for digest in digests] + [".%s.lock" % digests[0]]
        for name in names:
            os.mkdir(os.path.join(self.cache_folder, name))
        self.assertEqual(DATA, self.fetch())
        self.assertEqual(sorted([self.blob.name] + names), self.kept())

    def test_row_67_a_folder_in_the_locks_place_is_named(self):
        os.mkdir(os.path.join(self.cache_folder, ".%s.lock" % self.blob.sha256))
        self.refused(".%s.lock: Is a directory" % self.blob.sha256)

    def test_row_67_write_permission_that_is_lost_meanwhile(self):
        def deny(*arguments, **named):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), arguments[0])

        with mock.patch("os.rename", deny), mock.patch("os.unlink", deny):
            self.refused("Permission denied")
        self.assertEqual(DATA, self.fetch())

    def test_row_67_no_file_descriptor_left_spoils_no_blob(self):
        source = self.put_file("bucket")
        for is_cached in (True, False):
            failures = 0
            for room in range(9):
                with self.subTest(room=room, is_cached=is_cached):
                    self.fetch(source)
                    if not is_cached:
                        os.unlink(self.path)
                    cache, message = BlobCache(self.cache_folder, settings=self.settings), ""
                    with _descriptors_left(room):
                        try:
                            fetch(self.blob, self.sources(source), cache, self.settings)
                        except Unavailable as error:
                            message = str(error)
                    failures += bool(message)
                    self.assertEqual(bool(message), "Too many open files" in message)
                    self.assertEqual([self.blob.name] * (is_cached or not message), self.kept())
            self.assertIn(failures, range(1, 9))

    def test_row_67_a_blob_that_could_not_be_read_for_want_of_descriptors_stays(self):
        self.fetch()
        with mock.patch("artifacts.fetch.cache.sha256_of", side_effect=OSError(errno.EMFILE, os.strerror(errno.EMFILE))):
            self.refused("Too many open files")
        self.assertEqual([self.blob.name], self.kept())

    def test_row_67_no_private_folder_either(self):
        os.chmod(self.cache_folder, 0o777)
        with mock.patch("tempfile.mkdtemp", side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))):
            self.refused("No space left")


class Processes(FetchTest):
    def start(self):
        environment = dict(os.environ, ASSAY_CACHE=self.cache_folder, ASSAY_BUCKET=self.gcs.url + "/b")
        flags = ["--sha256=" + self.blob.sha256, "--size=%d" % self.blob.size, "--name=" + self.blob.name, "--base=/"]
        command = [sys.executable, _PROGRAM] + flags
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_row_15_of_many_processes_one_downloads_and_the_others_wait(self):
        self.put()
        self.gcs.script(FaultRule(latency=0.5))  # all are there before the first is done
        started = [self.start() for _ in range(4)]
        for process in started:
            out, err = process.communicate(timeout=60)
            path = os.path.join(self.cache_folder, self.blob.name)
            self.assertEqual((0, path + "\n", ""), (process.returncode, out, err))
        self.assertEqual(1, len(self.gcs.requests))
        self.assertEqual([self.blob.name], self.kept())

    def test_row_15_a_waiter_goes_on_when_the_owner_of_the_lock_dies(self):
        self.put()
        self.gcs.script(FaultRule(times=1, stall_after=_HALF, stall_seconds=60))
        owner = self.start()
        self.wait_for(lambda: self.temporary_bytes() == _HALF)
        waiter = self.start()
        owner.send_signal(signal.SIGKILL)
        owner.communicate(timeout=60)
        waiter.communicate(timeout=60)
        self.assertEqual(0, waiter.returncode)
        self.assertEqual([self.blob.name], self.kept())

    def test_row_16_killed_in_mid_download_leaves_what_the_next_run_ignores_and_sweeps(self):
        self.put()
        self.gcs.script(FaultRule(times=1, stall_after=_HALF, stall_seconds=60))
        killed = self.start()
        self.wait_for(lambda: self.temporary_bytes() == _HALF)
        self.assertNotIn(self.blob.name, self.kept())  # nothing half-written is visible
        killed.send_signal(signal.SIGKILL)
        killed.communicate(timeout=60)
        self.assertEqual(2, len(self.kept()))  # its temporary file and its lock
        self.assertEqual(DATA, self.fetch())
        self.assertEqual([self.blob.name], self.kept())

    def test_row_16_leftovers_of_other_blobs_are_swept_but_not_those_at_work(self):
        other, third = blob_of(b"other"), blob_of(b"third")
        os.mkdir(self.cache_folder, 0o700)
        for blob in (other, third):
            with open(os.path.join(self.cache_folder, ".%s.99.tmp" % blob.sha256), "wb"):
                pass
        self.put()
        cache = BlobCache(self.cache_folder, settings=self.settings)
        cache.open()
        with cache._lock(third.sha256, 0):  # pylint: disable=protected-access
            self.fetch()
        self.assertEqual(sorted([".%s.99.tmp" % third.sha256, self.blob.name]), self.kept())

    def test_a_lock_that_is_never_given_back_is_not_waited_for_for_ever(self):
        self.put()
        cache = BlobCache(self.cache_folder, settings=self.settings)
        cache.open()
        with cache._lock(self.blob.sha256, 0):  # pylint: disable=protected-access
            with self.assertRaisesRegex(CacheFailed, "another process has held"):
                self.fetch()
        self.assertEqual(DATA, self.fetch())

    def test_a_lock_whose_file_was_removed_meanwhile_does_not_count(self):
        cache = BlobCache(self.cache_folder, settings=self.settings)
        cache.open()
        path = os.path.join(self.cache_folder, ".%s.lock" % self.blob.sha256)
        calls = []

        def flock(file, operation):
            if not calls:
                os.unlink(path)  # its owner is done, after we opened the file and before we lock it
            calls.append(operation)
            return real(file, operation)

        real = fcntl.flock
        with mock.patch("fcntl.flock", flock), cache._lock(self.blob.sha256, 1):  # pylint: disable=protected-access
            self.assertTrue(os.path.exists(path))
        self.assertEqual(2, len(calls))

    def temporary_bytes(self):
        try:
            return sum(os.path.getsize(os.path.join(self.cache_folder, n)) for n in self.kept() if n.endswith(".tmp"))
        except FileNotFoundError:
            return 0

    def wait_for(self, is_so):
        end = time.monotonic() + 30
        while not is_so():
            self.assertLess(time.monotonic(), end, "it never came to be")
            time.sleep(0.01)


@contextlib.contextmanager
def _descriptors_left(count):
    """Within the block only this many more files can be opened."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = [int(name) for name in os.listdir("/proc/self/fd")]
    gaps = [os.open(os.devnull, os.O_RDONLY) for _ in range(max(used) + 1 - len(used))]
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(used + gaps) + 1 + count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for file in gaps:
            os.close(file)


def _in_child(function):
    """The result of function() in a forked process, which may give up rights."""
    child = os.fork()
    if not child:
        code = 1
        try:
            code = 0 if function() else 2
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


if __name__ == "__main__":
    unittest.main()
