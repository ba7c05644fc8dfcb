"""References from a bucket, end to end, as a user has them: objects uploaded to a folder or to a fake Google Cloud Storage on
loopback that misbehaves, and tests that read them from there, in a tree whose embedded store is not there."""

import json
import os
import subprocess
import sys

from ci.check import BAZEL, ROOT, Check, first_then_checkout, program

_STORE = os.path.join(ROOT, "artifacts/blobs")
_TESTS = ["//benchmarks/mlp:mlp_fp32_b1_accuracy_test", "//benchmarks/mlp:mlp_bf16_b1_accuracy_test"]
_LOCK = os.path.join(ROOT, "benchmarks/mlp/lock.bzl")


def _seen(path):
    """Properties that change when a file is written again."""
    found = os.stat(path)
    return path, found.st_ino, found.st_size, found.st_mtime_ns


class Artifacts(Check):
    def setUp(self):
        super().setUp()
        self.bucket = os.path.join(self.scratch, "b")

    def files(self):
        return [_seen(os.path.join(self.bucket, name)) for name in sorted(os.listdir(self.bucket))]

    def upload(self, bucket, *texts, **variables):
        flags = ["--filter=^mlp_", "--allow-dirty", "--bucket=" + bucket]
        self.expect(program("//tools:upload_artifacts", *flags), *texts, **variables)

    def read_back(self, sources, *texts, code=0):
        """Runs two accuracy tests whose references are in `sources` alone."""
        tree = self.copied("artifacts", without="artifacts/blobs")
        flags = ["--noshow_progress", "--cache_test_results=no", first_then_checkout(tree),
                 "--repository_cache=%s/repositories" % self.scratch, "--repo_env=ASSAY_CACHE=%s/cache" % self.scratch]
        self.expect([BAZEL, "test", *flags, "--repo_env=ASSAY_BUCKET=" + sources, *_TESTS], *texts, code=code)

    def start_gcs(self, *faults, folder=_STORE):
        """Starts a fake Google Cloud Storage with the files of `folder` and these faults; returns its address."""
        script = self.write(os.path.join(self.scratch, "faults.json"), json.dumps(faults))
        flags = ["--bucket=assay-test", "--script=" + script, "--folder=" + folder]
        words = [sys.executable, "-B", "-m", "artifacts.fake_gcs", *flags]
        server = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        address = server.stdout.readline().strip()
        self.assertTrue(address, "the server did not start")
        return address

    def test_fault_table(self):
        """artifacts: every row of FAULTS.md has tests that exist"""
        self.expect([sys.executable, "-B", "ci/faults.py"])

    def test_generate(self):
        """artifacts: generated anew they are the committed ones, and a second time nothing is written"""
        generate = program("//tools:generate_artifacts", "--filter=^mlp_", "--out=" + self.bucket, "--allow-dirty")
        self.expect(generate)
        self.expect(["git", "diff", "--exit-code", "artifacts", "benchmarks"])
        before = self.files() + [_seen(_LOCK)]
        self.assertGreaterEqual(len(before), 3 + 1)
        self.expect(generate)
        self.assertEqual(self.files() + [_seen(_LOCK)], before)

    def test_folder(self):
        """artifacts: uploaded to a folder, read back with the embedded store moved away"""
        self.upload("file://" + self.bucket, "build --repo_env=ASSAY_BUCKET=")
        self.read_back("file://" + self.bucket, "2 tests pass")

    def test_upload_again(self):
        """artifacts: uploading again changes nothing"""
        self.upload("file://" + self.bucket)
        before = self.files()
        self.upload("file://" + self.bucket)
        self.assertEqual(self.files(), before)

    def test_gcs(self):
        """artifacts: uploaded to a Google Cloud Storage that throttles and loses replies, read back from it"""
        os.mkdir(self.bucket)
        gcs = self.start_gcs(
            {"method": "POST", "times": 2, "status": 503},
            {"method": "POST", "times": 1, "status": 429},
            {"method": "POST", "times": 1, "reset": "after"},
            folder=self.bucket,
        )
        self.upload("gs://assay-test", STORAGE_EMULATOR_HOST=gcs)
        self.read_back(gcs + "/assay-test", "2 tests pass")

    def test_bad_network(self):
        """artifacts: 503, 429 and cut bodies end green"""
        gcs = self.start_gcs(
            {"method": "GET", "times": 2, "status": 503},
            {"method": "GET", "times": 1, "status": 429, "retry_after": 1},
            {"method": "GET", "times": 2, "cut_after": 300},
        )
        self.read_back(gcs + "/assay-test", "2 tests pass", "failed there: ")

    def test_wrong_bytes(self):
        """artifacts: wrong bytes are FAIL_ARTIFACT, and end green where a mirror is right"""
        gcs = self.start_gcs({"method": "GET", "wrong_bytes": True})
        self.read_back(gcs + "/assay-test", "FAIL_ARTIFACT", code=1)
        self.read_back(gcs + "/assay-test,file://" + _STORE, "2 tests pass")

    def test_inventory(self):
        """artifacts: list, size, check and prune"""
        self.expect(program("//tools:artifacts", "list", "--filter=mlp_fp32"), "mlp_fp32_b2")
        self.expect(program("//tools:artifacts", "size", "--query=//benchmarks/mlp/..."))
        self.expect(program("//tools:artifacts", "check", "--filter=mlp"))
        self.expect(program("//tools:artifacts", "prune"))

    def test_bad_input(self):
        """artifacts, bad input: no bucket, another scheme, a bad filter, a folder that is none, an unknown word"""
        self.expect(program("//tools:upload_artifacts"), "--bucket", code=3)
        self.expect(program("//tools:upload_artifacts", "--bucket=s3://b"), "gs://", code=3)
        self.expect(program("//tools:artifacts", "list", "--filter=("), code=3)
        self.expect(program("//tools:generate_artifacts", "--help-me"), code=3)
        self.expect(program("//tools:artifacts", "lsit"), code=3)
        self.read_back("b/../c d", "ASSAY_BUCKET", code=1)
