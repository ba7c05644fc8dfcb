"""`check` finds what is lost, damaged, forbidden or out of reach, at each place, and its exit code says which."""

import os
import unittest
from unittest import mock

from artifacts.fetch.settings import Settings
from artifacts.fetch.test_cases import RawServer
from artifacts.fake_gcs.faults import FaultRule
from artifacts.fake_gcs.server import FakeGcs
from tools.artifacts.inventory.test_tree import DATA, TreeTest


class CheckingTest(TreeTest):
    def setUp(self):
        super().setUp()
        self.gcs = FakeGcs(buckets=("b",))
        self.gcs.__enter__()
        self.addCleanup(self.gcs.__exit__, None, None, None)
        self.url = self.gcs.url + "/b"
        waitless = mock.patch.object(Settings, "from_environ", lambda environ: Settings(sleep=lambda seconds: None))
        waitless.start()
        self.addCleanup(waitless.stop)

    def upload(self, *keys):
        for key in keys:
            self.gcs.put("b", self.table[key].object_name, DATA[key])

    def check(self, *flags, **environment):
        """(exit code, {(first key, place): state})."""
        code = self.run_program("check", *flags, **environment)[0]
        records = self.records("check", *flags, **environment)
        return code, {(record["keys"][0], record["place"]): record["state"] for record in records}

    def test_all_is_well_when_tree_and_bucket_have_everything(self):
        self.put("artifacts/blobs", "toy_fp32_b2")
        self.upload(*DATA)
        code, states = self.check(ASSAY_BUCKET=self.url)
        self.assertEqual((0, {"ok"}), (code, set(states.values())))
        self.assertEqual(4, len(states))
        self.assertEqual({"HEAD"}, {request.method for request in self.gcs.requests})

    def test_a_blob_that_another_place_has_is_missing_but_not_lost(self):
        self.put("artifacts/blobs", "toy_fp32_b2")
        self.put("mirror", "other_fp32_b1")
        self.upload("other_fp32_b1.weights")
        bucket = "--bucket=%s,%s" % (self.url, os.path.join(self.root, "mirror"))
        code, states = self.check(bucket)
        self.assertEqual((0, "missing"), (code, states["other_fp32_b1", self.url]))
        self.assertEqual("ok", states["other_fp32_b1", os.path.join(self.root, "mirror")])
        self.assertEqual(2, self.check(bucket, "--everywhere")[0])

    def test_row_28_a_row_whose_blob_is_nowhere_is_exit_code_2(self):
        self.put("artifacts/blobs", "toy_fp32_b2")
        code, states = self.check()
        self.assertEqual((2, "missing"), (code, states["other_fp32_b1", "bucket"]))
        code, out, _ = self.run_program("check")
        self.assertIn("3 blobs: 1 readable somewhere, 2 nowhere", out)
        self.assertIn("no source is set (ASSAY_BUCKET or --bucket)", out)
        self.upload(*DATA)
        os.unlink(self.put("artifacts/blobs", "toy_fp32_b2"))
        code, states = self.check("--bucket=" + self.url)
        self.assertEqual((0, "missing"), (code, states["toy_fp32_b2", "tree"]))

    def test_row_14_damaged_files_of_this_machine_are_found_by_their_digest(self):
        data = DATA["toy_fp32_b2"]
        mirror = os.path.join(self.root, "mirror")
        for folder, place in (("artifacts/blobs", "tree"), ("artifacts/staged", "staged"), ("mirror", mirror)):
            for wrong, state in ((data[:-1] + b"?", "wrong digest"), (data[:-1], "wrong size"), (b"", "wrong size")):
                with self.subTest(place=place, wrong=wrong):
                    path = self.put(folder, "toy_fp32_b2", wrong)
                    code, states = self.check("--filter=toy", "--bucket=" + mirror)
                    self.assertEqual((1, state), (code, states["toy_fp32_b2", place]))
                    os.unlink(path)

    def test_row_10_an_object_that_was_overwritten_is_found_by_size_or_by_downloading(self):
        self.put("artifacts/blobs", "toy_fp32_b2")
        self.upload(*DATA)
        name = self.table["other_fp32_b1"].object_name
        self.gcs.put("b", name, DATA["other_fp32_b1"][::-1])
        self.assertEqual(0, self.check("--bucket=" + self.url)[0])
        code, states = self.check("--bucket=" + self.url, "--download")
        self.assertEqual((1, "wrong digest"), (code, states["other_fp32_b1", self.url]))
        self.assertEqual("ok", states["other_fp32_b1.weights", self.url])
        self.assertFalse(os.path.exists(os.path.join(self.root, "cache")))
        self.gcs.put("b", name, b"short")
        code, states = self.check("--bucket=" + self.url)
        self.assertEqual((1, "wrong size"), (code, states["other_fp32_b1", self.url]))

    def test_row_6_a_closed_bucket_is_forbidden_and_the_blobs_are_lost(self):
        self.put("artifacts/blobs", "toy_fp32_b2")
        self.upload(*DATA)
        self.gcs.script(FaultRule(status=403))
        code, states = self.check("--bucket=" + self.url)
        self.assertEqual((2, "forbidden"), (code, states["other_fp32_b1", self.url]))
        self.assertEqual("ok", states["toy_fp32_b2", "tree"])

    def test_row_4_a_dead_source_is_not_asked_about_every_blob(self):
        with FakeGcs() as gone:
            url = gone.url + "/b"
        code, states = self.check("--bucket=" + url, "--jobs=1", "--filter=other")
        self.assertEqual((2, {"unreachable"}), (code, set(states.values())))
        for number in range(8):
            key = "k%d" % number
            DATA[key] = key.encode()
            self.addCleanup(DATA.pop, key)
            self.table[key] = self.table["other_fp32_b1"]._replace(sha256="%064x" % number)
        self.write_lock()
        details = [record["detail"] for record in self.records("check", "--bucket=" + url, "--jobs=1", "--filter=^k")]
        self.assertEqual([False] * 3 + [True] * 5, ["not asked" in detail for detail in details])

    def test_row_65_a_server_that_says_yes_to_everything_is_not_believed(self):
        self.put("artifacts/blobs", "toy_fp32_b2")
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
        with RawServer(head + b"5\r\nhello\r\n0\r\n\r\n") as url:
            code, states = self.check("--bucket=" + url)
        self.assertEqual((1, "wrong digest"), (code, states["other_fp32_b1", url]))

    def test_row_65_where_no_size_is_said_the_bytes_decide(self):
        data = DATA["other_fp32_b1.weights"]
        with RawServer(b"HTTP/1.0 200 OK\r\n\r\n" + data) as url:
            code, states = self.check("--bucket=" + url, "--filter=weights")
            (record,) = self.records("check", "--bucket=" + url, "--filter=weights")
        self.assertEqual((0, {"ok"}), (code, set(states.values())))
        self.assertEqual("%d bytes fetched and hashed" % len(data), record["detail"])

    def test_row_66_odd_objects_do_not_silence_their_source(self):
        self.upload("other_fp32_b1.weights")
        for number in range(4):
            self.table["k%d" % number] = self.table["other_fp32_b1"]._replace(sha256="%064x" % number)
        self.write_lock()
        self.gcs.script(FaultRule(object="^0000", redirect="ftp://h/x"))
        _, states = self.check("--bucket=" + self.url, "--jobs=1", "--filter=^k|weights")
        self.assertEqual(["ok"] + ["unusable"] * 4, sorted(states.values()))

    def test_a_proxy_that_is_not_understood_is_an_answer_for_each_blob(self):
        environment = {"http_proxy": "http://me:s3/cret@h", "no_proxy": ""}
        code, out, err = self.run_program("check", "--bucket=http://blobs.example/b", **environment)
        self.assertEqual(2, code)
        self.assertIn("http_proxy: want", out)
        self.assertNotIn("s3", out + err)


if __name__ == "__main__":
    unittest.main()
