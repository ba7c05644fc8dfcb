"""Blobs, probes, folders as sources, and the program that Bazel runs."""

import os
import subprocess
import sys
import unittest

from artifacts.fetch.errors import Unavailable, WrongContent
from artifacts.fetch.fetch import Blob, probe
from artifacts.fetch.test_cases import DATA, FetchTest, RawServer, blob_of, closed_port
from artifacts.fake_gcs.faults import FaultRule

_PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fetch_blob.py")
_DIGEST = "0" * 64


class BlobTest(unittest.TestCase):
    def test_only_what_a_lock_can_say_is_a_blob(self):
        Blob(_DIGEST, 1, _DIGEST + ".pt2")
        for sha256, size, name in [
            ("0" * 63, 1, "0" * 63 + ".pt2"),
            ("A" * 64, 1, "A" * 64 + ".pt2"),
            (_DIGEST + "\n", 1, _DIGEST + ".pt2"),
            (None, 1, _DIGEST + ".pt2"),
            (_DIGEST, 0, _DIGEST + ".pt2"),
            (_DIGEST, -1, _DIGEST + ".pt2"),
            (_DIGEST, True, _DIGEST + ".pt2"),
            (_DIGEST, 1.0, _DIGEST + ".pt2"),
            (_DIGEST, 1 << 41, _DIGEST + ".pt2"),
            (_DIGEST, 1, "../" + _DIGEST + ".pt2"),
            (_DIGEST, 1, _DIGEST),
            (_DIGEST, 1, _DIGEST + ".pt2/x"),
            (_DIGEST, 1, "1" * 64 + ".pt2"),
        ]:
            with self.subTest(sha256=sha256, size=size, name=name), self.assertRaises(ValueError):
                Blob(sha256, size, name)


class Folders(FetchTest):
    def test_a_folder_is_a_bucket(self):
        self.assertEqual(DATA, self.fetch(self.put_file("bucket")))
        self.assertEqual(DATA, self.fetch("file://" + self.put_file("other")))

    def test_a_relative_folder_that_is_not_there_is_named_as_resolved(self):
        self.assertIn("no such folder: %s/OUT/b2" % self.folder, self.fails(Unavailable, "file://OUT/b2"))
        self.assertIn("no such file", self.fails(Unavailable, self.folder + "/."))

    def test_a_folder_with_other_bytes(self):
        self.assertIn("another digest", self.fails(WrongContent, self.put_file("wrong", DATA[:-1] + b"x")))
        long = self.put_file("long", DATA + b"x" * 9)
        self.assertIn("has %d bytes" % (len(DATA) + 9), self.fails(WrongContent, long))
        self.assertIn("has 9 bytes", self.fails(WrongContent, self.put_file("short", b"x" * 9)))

    def test_what_is_no_file_is_refused_without_waiting_for_it(self):
        folder = os.path.join(self.folder, "odd")
        os.makedirs(os.path.join(folder, self.blob.name))
        self.assertIn("not a file", self.fails(Unavailable, folder))
        os.rmdir(os.path.join(folder, self.blob.name))
        os.mkfifo(os.path.join(folder, self.blob.name))
        self.assertIn("not a file", self.fails(Unavailable, folder))

    def test_no_source_at_all(self):
        self.assertIn("ASSAY_BUCKET is empty", self.fails(Unavailable, " "))


class ProbeTest(FetchTest):
    def state(self, text="b"):
        return probe(self.blob, self.sources(text)[0], self.settings).state

    def test_each_state_over_http_without_the_body(self):
        self.assertEqual("missing", self.state())
        self.put()
        self.assertEqual("ok", self.state())
        self.put(DATA + b"x")
        self.assertEqual("wrong size", self.state())
        for status in (401, 403):
            self.gcs.script(FaultRule(times=1, status=status))
            self.assertEqual("forbidden", self.state())
        self.assertEqual({"HEAD"}, {r.method for r in self.gcs.requests})

    def test_a_server_that_knows_no_head_is_asked_for_one_byte(self):
        self.put()
        self.gcs.script(FaultRule(method="HEAD", status=501))
        self.assertEqual("ok", self.state())
        self.assertEqual("bytes=0-0", self.gcs.requests[-1].headers["range"])
        self.put(DATA + b"x")
        self.assertEqual("wrong size", self.state())

    def test_row_65_a_size_that_is_not_said_or_none_is_not_taken_for_right(self):
        right = b"Content-Length: %d" % len(DATA)
        twice, part = right + b"\r\nContent-Length: 5", right.replace(b": ", b": 5/")
        for size in (b"", b"Content-Length: " + b"9" * 5000, b"Content-Length: -1", b"Transfer-Encoding: chunked", twice, part):
            with self.subTest(size=size[:60]), RawServer(b"HTTP/1.1 200 OK\r\n" + size + b"\r\n\r\n") as url:
                self.assertEqual("unknown size", self.state(url + "/b"))

    def test_row_66_an_object_that_is_odd_is_not_a_silent_server(self):
        for rule in (FaultRule(times=1, redirect="ftp://h/x"), FaultRule(times=1, status=400)):
            self.gcs.script(rule)
            self.assertEqual("unusable", self.state())
        os.makedirs(os.path.join(self.folder, "odd", self.blob.name))
        self.assertEqual("unusable", self.state(self.folder + "/odd"))

    def test_each_state_of_a_folder(self):
        self.assertEqual("missing", self.state(self.folder + "/none"))
        self.assertEqual("ok", self.state(self.put_file("a")))
        self.assertEqual("wrong size", self.state(self.put_file("a", b"x")))

    def test_a_busy_source_is_asked_three_times(self):
        self.put()
        self.gcs.script(FaultRule(times=2, status=503))
        self.assertEqual("ok", self.state())
        self.gcs.script(FaultRule(times=3, status=503))
        self.assertEqual("unreachable", self.state())
        self.assertEqual("unreachable", self.state("http://127.0.0.1:%d/b" % closed_port()))


class Program(FetchTest):
    def run_program(self, *flags, **variables):
        environment = dict({"ASSAY_CACHE": self.cache_folder, "ASSAY_FETCH_DEADLINE": "5"}, **variables)
        command = [sys.executable, _PROGRAM, "--base=" + self.folder] + list(flags)
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, cwd="/")

    def flags(self):
        return ["--sha256=" + self.blob.sha256, "--size=%d" % self.blob.size, "--name=" + self.blob.name]

    def test_it_prints_the_path_and_nothing_else(self):
        self.put_file("bucket")
        done = self.run_program(*self.flags(), ASSAY_BUCKET="file://bucket")
        path = os.path.join(self.cache_folder, self.blob.name)
        self.assertEqual((0, path + "\n", ""), (done.returncode, done.stdout, done.stderr))

    def test_a_failure_begins_with_the_outcome_and_has_no_stack_trace(self):
        self.put_file("wrong", DATA[::-1])
        unavailable = "ARTIFACT_UNAVAILABLE"
        for bucket, outcome in {"": unavailable, "none": unavailable, "wrong": "FAIL_ARTIFACT"}.items():
            with self.subTest(bucket=bucket):
                done = self.run_program(*self.flags(), ASSAY_BUCKET=bucket)
                self.assertEqual((2, ""), (done.returncode, done.stdout))
                self.assertTrue(done.stderr.startswith("%s: blob %s (" % (outcome, self.blob.name)), done.stderr)
                self.assertNotIn("Traceback", done.stderr)

    def test_usage(self):
        other = blob_of(b"x")
        for flags in (
            [],
            ["--sha256=x", "--size=1", "--name=x"],
            self.flags()[:2] + ["--name=" + other.name],
            self.flags() + ["--sources=ftp://h/b"],
            self.flags() + ["--token-file=/nonexistent"],
            self.flags() + ["--unknown"],
            [self.flags()[0], "--size=-1", self.flags()[2]],
        ):
            with self.subTest(flags=flags):
                done = self.run_program(*flags)
                self.assertEqual(3, done.returncode, done.stderr)
                self.assertNotIn("Traceback", done.stderr)

    def test_without_a_usable_cache_the_scratch_folder_is_used(self):
        self.put_file("bucket")
        with open(os.path.join(self.folder, "file"), "wb"):
            pass
        scratch = os.path.join(self.folder, "scratch")
        flags = self.flags() + ["--sources=bucket", "--scratch=" + scratch]
        done = self.run_program(*flags, ASSAY_CACHE=os.path.join(self.folder, "file"))
        self.assertEqual(os.path.join(scratch, self.blob.name) + "\n", done.stdout)
        self.assertIn("can't be used", done.stderr)


if __name__ == "__main__":
    unittest.main()
