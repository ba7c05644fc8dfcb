"""The upload program from its command line: what is sent, what is refused, what it says, and its exit codes."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

from artifacts.fake_gcs.faults import FaultRule
from artifacts.fake_gcs.server import READ_ONLY, FakeGcs
from tools.artifacts.upload.test_tree import Tree, write

_BLOBS = {"a_fp32": b"1" * 1000, "a_fp64": b"1" * 1000, "staged_b": b"2" * 2000, "c": b"3" * 3000}
_DEAD_END = "127.0.0.1:9"  # the discard port, where nobody listens


class Fixture(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "outer")
        self.tree = Tree(os.path.join(self.folder, "artifacts"), _BLOBS)
        self.there = os.path.join(self.folder, "bucket")

    def serve(self, **arguments):
        gcs = FakeGcs(buckets=("bucket",), **arguments)
        gcs.__enter__()
        self.addCleanup(gcs.stop)
        return gcs

    def in_folder(self):
        return set(os.listdir(self.there)) if os.path.isdir(self.there) else set()

    def names(self, *keys):
        return {self.tree.name(key) for key in keys}


class ProgramTest(Fixture):
    def test_uploads_to_a_folder_and_again_changes_nothing(self):
        first = self.tree.upload("file://" + self.there)
        self.assertEqual(0, first.code, first)
        self.assertEqual(self.names("a_fp32", "staged_b", "c"), self.in_folder())
        self.assertIn("3 uploaded (6.0 kB)", first.out)
        self.assertIn("build --repo_env=ASSAY_BUCKET=file://%s\n" % self.there, first.out)
        self.assertIn("uploading 3 objects, 6.0 kB, to " + self.there, first.err)
        second = self.tree.upload(self.there)
        self.assertEqual(0, second.code)
        self.assertIn("3 already there (6.0 kB)", second.out)

    def test_uploads_to_a_fake_bucket_with_a_prefix(self):
        gcs = self.serve()
        got = self.tree.upload("gs://bucket/assay", STORAGE_EMULATOR_HOST=gcs.url)
        self.assertEqual(0, got.code, got)
        expected = {"assay/" + name for name in self.names("a_fp32", "staged_b", "c")}
        self.assertEqual(expected, set(gcs.objects("bucket")))
        self.assertIn("build --repo_env=ASSAY_BUCKET=%s/bucket/assay\n" % gcs.url, got.out)
        self.assertEqual([], [r for r in gcs.requests if "authorization" in r.headers])

    def test_a_dry_run_lists_objects_bytes_and_what_is_there_and_sends_nothing(self):
        gcs = self.serve()
        gcs.put("bucket", self.tree.name("c"), _BLOBS["c"])
        for bucket, environment in (("gs://bucket", {"STORAGE_EMULATOR_HOST": gcs.url}), (self.there, {})):
            got = self.tree.upload(bucket, "--dry-run", **environment)
            self.assertEqual(0, got.code, got)
            for part in (self.tree.name("a_fp32") + "  a_fp32 a_fp64", "2.0 kB", "to upload", bucket):
                self.assertIn(part, got.out)
        self.assertFalse(os.path.exists(self.there))
        self.assertEqual({"GET"}, {r.method for r in gcs.requests})
        again = self.tree.upload("gs://bucket", "--dry-run", STORAGE_EMULATOR_HOST=gcs.url)
        self.assertIn("2 to upload (3.0 kB), 1 already there (3.0 kB)", again.out)

    def test_a_dry_run_lists_although_the_bucket_cannot_be_asked_and_says_why(self):
        gcs = self.serve()
        got = self.tree.upload("gs://absent", "--dry-run", STORAGE_EMULATOR_HOST=gcs.url)
        self.assertEqual(2, got.code)
        self.assertIn("3 to upload (6.0 kB): gs://absent", got.out)
        self.assertIn(self.tree.name("c"), got.out)
        self.assertIn("no such bucket", got.err)

    def test_the_filter_and_other_places(self):
        os.unlink(self.tree.path("staged_b"))
        self.assertEqual(0, self.tree.upload(self.there, "--filter=^c$").code)
        self.assertEqual(self.names("c"), self.in_folder())
        other = os.path.join(self.folder, "other")
        write(os.path.join(other, self.tree.name("staged_b")), _BLOBS["staged_b"])
        self.assertEqual(0, self.tree.upload(self.there, "--from=" + other).code)
        self.assertEqual(self.names("a_fp32", "staged_b", "c"), self.in_folder())

    def test_a_missing_blob_stops_everything_before_anything_is_sent(self):
        os.unlink(self.tree.path("staged_b"))
        got = self.tree.upload(self.there)
        self.assertEqual((2, set()), (got.code, self.in_folder()))
        mend = "generate_artifacts -- --filter='^(staged_b)$'"
        for part in (self.tree.name("staged_b"), mend, "--from=DIR", self.tree.folder):
            self.assertIn(part, got.err)

    def test_a_local_file_that_differs_from_the_lock_stops_everything(self):
        write(self.tree.path("c"), b"4" * 3000)
        got = self.tree.upload(self.there)
        self.assertEqual((1, set()), (got.code, self.in_folder()))
        self.assertIn("sha256 is", got.err)
        os.unlink(self.tree.path("c"))
        os.symlink(self.tree.path("a_fp32"), self.tree.path("c"))
        self.assertEqual(1, self.tree.upload(self.there).code)

    def test_a_different_object_is_exit_1_and_the_others_are_finished(self):
        gcs = self.serve()
        gcs.put("bucket", self.tree.name("a_fp32"), b"another")
        got = self.tree.upload("gs://bucket", STORAGE_EMULATOR_HOST=gcs.url)
        self.assertEqual(1, got.code)
        self.assertIn(self.tree.name("a_fp32") + " is another object: there 7 bytes", got.out)
        self.assertIn("2 uploaded (5.0 kB), 1 different there (1.0 kB)", got.out)
        self.assertNotIn("ASSAY_BUCKET", got.out)
        self.assertEqual(b"another", gcs.objects("bucket")[self.tree.name("a_fp32")])
        self.assertEqual(3, len(gcs.objects("bucket")))

    def test_one_object_that_fails_is_exit_2_and_the_others_are_finished(self):
        gcs = self.serve()
        gcs.script(FaultRule(method="POST", object=self.tree.name("c"), status=503))
        got = self.tree.upload("gs://bucket", "--deadline=0.3", STORAGE_EMULATOR_HOST=gcs.url)
        self.assertEqual(2, got.code)
        self.assertIn("2 uploaded (3.0 kB), 1 failed (3.0 kB)", got.out)
        self.assertIn("gave up after 0.3 s", got.out)

    def test_what_is_wrong_with_the_bucket_is_one_line_before_any_upload(self):
        gcs, poor = self.serve(), self.serve(tokens={"t": READ_ONLY})
        for bucket, url, words in (
            ("gs://absent", gcs.url, "no such bucket"),
            ("gs://bucket", poor.url, "no permission to create"),
        ):
            got = self.tree.upload(bucket, STORAGE_EMULATOR_HOST=url)
            self.assertEqual((2, ""), (got.code, got.out))
            self.assertIn(words, got.err)
            self.assertEqual(1, got.err.count("\n"))
        self.assertEqual({"GET"}, {r.method for r in gcs.requests + poor.requests})

    def test_a_test_may_not_touch_a_real_bucket(self):
        got = self.tree.upload("gs://bucket")
        self.assertEqual(1, got.code)
        self.assertIn("a test may not touch a real bucket", got.err)

    def test_usage_errors(self):
        for bucket, flags, words in (
            ("https://host/b", (), "can be read but not uploaded to"),
            ("http://host/b", (), "can be read but not uploaded to"),
            ("gs://bucket,gs://other", (), "want one"),
            ("", (), "want one"),
            ("ftp://x", (), "not known"),
            ("gs://UPPER", (), "names no bucket"),
            (self.there, ("--jobs=0",), "--jobs=0: from 1"),
            (self.there, ("--deadline=nan",), "--deadline"),
            (self.there, ("--filter=(",), "--filter=("),
            (self.there, ("--filter=nothing_like_it",), "finds none of the 4 keys"),
            (self.there, ("--token=x",), "unrecognized"),
        ):
            got = self.tree.upload(bucket, *flags)
            self.assertEqual((3, ""), (got.code, got.out), flags or bucket)
            self.assertIn(words, got.err)

    def test_a_broken_lock_is_said_with_its_place(self):
        write(os.path.join(self.tree.folder, "lock.bzl"), b"LOCK = {\n'a': 1,\n}\n")
        got = self.tree.upload(self.there)
        self.assertEqual(1, got.code)
        self.assertIn("lock.bzl: line 2", got.err)

    def test_no_secret_of_the_command_line_is_repeated(self):
        for bucket in (
            "https://me:hunter2@host/b",
            "https://host/b?X-Goog-Signature=hunter2&x=1",
            "gs://b?access_token=hunter2",
        ):
            got = self.tree.upload(bucket)
            self.assertEqual(3, got.code)
            self.assertNotIn("hunter2", got.out + got.err)

    def test_no_secret_of_a_failed_request_is_repeated(self):
        gcs = self.serve()
        big = Tree(os.path.join(self.folder, "big"), {"big": b"x" * (9 << 20)})
        gcs.script(FaultRule(method="PUT", status=403))
        got = big.upload("gs://bucket", STORAGE_EMULATOR_HOST=gcs.url)
        self.assertEqual(2, got.code)
        self.assertIn("not allowed (403)", got.out)
        (session,) = {r.path.partition("upload_id=")[2] for r in gcs.requests if r.method == "PUT"}
        self.assertNotIn(session, got.out + got.err, "who has the session's id can write")

    def git(self, *arguments):
        identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", self.tree.folder] + identity + list(arguments), check=True, capture_output=True)

    def test_a_lock_that_is_not_committed_is_refused(self):
        self.git("init", "-q")
        for words, change in (("not committed", lambda: None), ("not committed", lambda: self.git("add", "."))):
            change()
            got = self.tree.upload(self.there)
            self.assertEqual((1, set()), (got.code, self.in_folder()))
            self.assertIn(words, got.err)
        self.assertEqual(0, self.tree.upload(self.there, "--dry-run").code)
        self.assertEqual(0, self.tree.upload(self.there, "--allow-dirty").code)
        self.git("commit", "-q", "-m", "x")
        self.assertEqual(0, self.tree.upload(self.there).code)


class ProcessTest(Fixture):
    """Tests that need a process of their own: another environment, and Ctrl-C."""

    def start(self, bucket, *flags, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **environment):
        command = [sys.executable, "-m", "tools.artifacts.upload", "--artifacts=" + self.tree.folder]
        command += ["--bucket=" + bucket] + list(flags)
        whole = {name: os.environ.get(name, "") for name in ("PATH", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE")}
        whole.update(environment, HOME=self.folder)
        return subprocess.Popen(command, env=whole, stdout=stdout, stderr=stderr, text=True)

    def test_a_full_standard_output_is_a_fault_of_the_surroundings(self):
        with open("/dev/full", "w") as full:
            for flags in ((), ("--dry-run",), ("--help",)):
                program = self.start(self.there, *flags, stdout=full)
                err = program.communicate(timeout=60)[1]
                self.assertEqual(2, program.returncode, err)
                self.assertIn("upload_artifacts: standard output: No space left on device", err)
                self.assertNotIn("Traceback", err)
                self.assertNotIn("Exception ignored", err)
            self.assertEqual(self.names("a_fp32", "staged_b", "c"), self.in_folder(), "what was sent stays")
            other = os.path.join(self.folder, "other")
            program = self.start(other, stderr=full)
            self.assertEqual("", program.communicate(timeout=60)[0])
            self.assertEqual((2, []), (program.returncode, os.listdir(other)), "what can't be announced is not sent")

    def test_a_reader_of_the_output_that_has_gone_is_said(self):
        read, write_end = os.pipe()
        os.close(read)
        program = self.start(self.there, stdout=write_end)
        os.close(write_end)
        err = program.communicate(timeout=60)[1]
        self.assertEqual(2, program.returncode, err)
        self.assertIn("standard output: Broken pipe", err)
        self.assertNotIn("Traceback", err)

    def test_missing_and_damaged_credentials_are_said_without_their_content(self):
        path = os.path.join(self.folder, "key.json")
        write(path, json.dumps({"type": "service_account", "private_key": "hunter2"}).encode())
        variable = "GOOGLE_APPLICATION_CREDENTIALS"
        for environment in ({}, {variable: path}, {variable: path + "absent"}):
            # NO_GCE_CHECK and the dead end keep Google's library from looking for a metadata server.
            program = self.start("gs://bucket", NO_GCE_CHECK="true", GCE_METADATA_HOST=_DEAD_END, **environment)
            out, err = program.communicate(timeout=60)
            self.assertEqual((2, ""), (program.returncode, out), err)
            self.assertIn("no Google credentials", err)
            self.assertIn("gcloud auth application-default login", err)
            self.assertNotIn("hunter2", err)
            self.assertNotIn("Traceback", err)

    def test_with_an_emulator_no_metadata_server_and_no_credentials_are_asked(self):
        gcs = self.serve()
        host = gcs.url[len("http://") :]
        program = self.start("gs://bucket", STORAGE_EMULATOR_HOST=gcs.url, GCE_METADATA_HOST=host, GCE_METADATA_IP=host)
        program.communicate(timeout=60)
        self.assertEqual(0, program.returncode)
        expected = ("/storage/v1/b/bucket", "/upload/")
        self.assertEqual([], [r.path for r in gcs.requests if not r.path.startswith(expected)])

    def test_ctrl_c_says_what_is_done_and_a_second_run_goes_on(self):
        gcs, waiting = self.serve(), threading.Event()
        last = self.tree.name("staged_b")
        gcs.script(FaultRule(method="POST", object=last, call=lambda _: (waiting.set(), gcs.closing.wait(60))))
        program = self.start("gs://bucket", "--jobs=1", STORAGE_EMULATOR_HOST=gcs.url)
        self.assertTrue(waiting.wait(30))
        program.send_signal(signal.SIGINT)
        _, err = program.communicate(timeout=30)
        self.assertEqual(130, program.returncode, err)
        self.assertIn("stopped. 2 uploaded (4.0 kB), 1 not sent (2.0 kB). No part of an object is visible", err)
        self.assertNotIn("Traceback", err)
        gcs.faults.clear()
        again = self.tree.upload("gs://bucket", STORAGE_EMULATOR_HOST=gcs.url)
        self.assertEqual(0, again.code)
        self.assertIn("1 uploaded (2.0 kB), 2 already there (4.0 kB)", again.out)

    def test_two_uploads_at_once_both_succeed(self):
        gcs = self.serve()
        for bucket, environment in (("gs://bucket", {"STORAGE_EMULATOR_HOST": gcs.url}), (self.there, {})):
            pair = [self.start(bucket, **environment) for _ in range(2)]
            for program in pair:
                self.assertEqual(0, (program.communicate(timeout=60), program.returncode)[1])
        self.assertEqual(3, len(gcs.objects("bucket")))
        self.assertEqual(3, len(self.in_folder()))


if __name__ == "__main__":
    unittest.main()
