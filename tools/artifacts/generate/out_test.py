"""--out is a bucket of what the filter covers, always as the lock has it; --with adds inputs, weights and modules."""

import hashlib
import os
import shutil
import unittest

from tools.artifacts.generate.test_cases import entry
from tools.artifacts.generate.test_program import ProgramTest


class OutTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.bucket = os.path.join(self.root, "bucket")

    def times(self, folder):
        return {
            os.path.join(place, name): os.stat(os.path.join(place, name)).st_mtime_ns
            for place, _, names in os.walk(folder)
            for name in names
        }

    def assert_bucket_is(self, *keys):
        """The bucket has exactly the blobs of these rows, each with its digest."""
        found = {name: hashlib.sha256(data).hexdigest() for name, data in self.snapshot(self.bucket).items()}
        rows = [self.lock()[key] for key in keys]
        self.assertEqual({row.object_name: row.sha256 for row in rows}, found)

    def test_every_blob_of_the_filter_is_put_there_and_a_second_run_touches_nothing(self):
        runs = {"a": [1.0, 2.0], "b": [1.0, 3.0], "c": [1.0, 4.0]}
        self.cases(runs, *(entry(name, depth=n) for n, name in enumerate(runs, 1)))
        self.assertEqual(0, self.run_program(filter=":c$")[0])
        code, out, err = self.run_program("--out=bucket", filter=":[ab]$")
        self.assertEqual(0, code, err)
        self.assert_bucket_is("a", "b")
        self.assertIn("2 blobs of these cases", out)
        times = self.times(self.bucket), self.times(self.out)
        bytes_there = self.snapshot(), self.snapshot(self.bucket)
        code, out, _ = self.run_program("--out=bucket", filter=":[ab]$")
        self.assertEqual(times, (self.times(self.bucket), self.times(self.out)))
        self.assertEqual(bytes_there, (self.snapshot(), self.snapshot(self.bucket)))
        self.assertIn("0 B of them new", out)

    def test_a_relative_folder_is_relative_to_where_the_user_stands(self):
        elsewhere = os.path.join(self.root, "elsewhere")
        os.mkdir(elsewhere)
        self.run_program("--out=bucket", BUILD_WORKING_DIRECTORY=elsewhere)
        self.assertEqual(1, len(os.listdir(os.path.join(elsewhere, "bucket"))))

    def test_where_the_committed_blob_was_kept_that_one_is_put_there(self):
        self.run_program()
        self.cases({"toy_fp32_b2": [1.0, 2.0, 4.0 + 1e-13]}, entry())
        code, out, _ = self.run_program("--out=bucket")
        self.assertEqual(0, code)
        self.assertIn("kept", out)
        self.assertRegex(out, r"largest difference that was kept: \d\.\de-1\d std \(toy_fp32_b2\)")
        self.assert_bucket_is("toy_fp32_b2")

    def test_a_kept_blob_of_the_bucket_is_fetched_for_it(self):
        self.run_program("--embed-limit=0")
        shutil.move(os.path.join(self.out, "staged"), os.path.join(self.root, "remote"))
        self.cases({"toy_fp32_b2": [1.0, 2.0, 4.0 + 1e-13]}, entry())
        code, _, err = self.run_program("--embed-limit=0", "--out=bucket")
        self.assertEqual(1, code)
        self.assertIn("Set ASSAY_BUCKET", err)
        remote = os.path.join(self.root, "remote")
        code, _, err = self.run_program("--embed-limit=0", "--out=bucket", ASSAY_BUCKET=remote)
        self.assertEqual(0, code, err)
        self.assert_bucket_is("toy_fp32_b2")

    def test_what_was_refused_is_not_put_there(self):
        self.run_program()
        self.cases({"toy_fp32_b2": [1.0, 2.0, 4.1]}, entry())
        self.assertEqual(1, self.run_program("--out=bucket")[0])
        self.assertEqual({}, self.snapshot(self.bucket))

    def test_a_damaged_blob_in_the_bucket_folder_is_mended(self):
        self.run_program("--out=bucket")
        (name,) = os.listdir(self.bucket)
        with open(os.path.join(self.bucket, name), "wb") as f:
            f.write(b"rotten")
        self.run_program("--out=bucket")
        self.assert_bucket_is("toy_fp32_b2")

    def test_inputs_and_weights_are_made_on_request_and_shared_by_digest(self):
        self.cases(
            {"a": {"values": [1.0, 2.0], "inputs": [1, 2]}, "b": {"values": [1.0, 3.0], "inputs": [3, 4]}},
            entry("a"),
            entry("b", width=8),
        )
        code, out, err = self.run_program("--with=weights,inputs,module", "--out=bucket")
        self.assertEqual(0, code, err)
        table = self.lock()
        self.assertEqual({"a", "b", "a.inputs", "b.inputs", "a.weights", "b.weights"}, set(table))
        self.assertEqual(table["a.weights"].sha256, table["b.weights"].sha256)
        self.assertEqual(("bucket", "inputs"), (table["a.inputs"].store, table["a.inputs"].role))
        self.assertIn("seed 0", table["a.inputs"].provenance)
        self.assert_bucket_is(*table)
        self.assertEqual(3, len(os.listdir(os.path.join(self.out, "staged"))))
        before = self.times(self.bucket), self.times(self.out)
        self.assertEqual(0, self.run_program("--with=weights,inputs,module", "--out=bucket")[0])
        self.assertEqual(before, (self.times(self.bucket), self.times(self.out)))

    def test_other_weights_under_the_same_key_are_refused_until_accepted(self):
        run = {"values": [1.0, 2.0], "state": [1, 2]}
        self.cases({"a": run}, entry("a"))
        self.run_program("--with=weights")
        before = self.snapshot()
        self.cases({"a": {**run, "state": [1, 3]}}, entry("a"))
        code, _, err = self.run_program("--with=weights")
        self.assertEqual((1, before), (code, self.snapshot()))
        self.assertRegex(err, "a.weights: has other bytes than the lock's(.|\n)*--accept-drift")
        self.assertEqual(0, self.run_program("--with=weights", "--accept-drift=new seeds")[0])
        self.assertIn("replaced: new seeds", self.lock()["a.weights"].provenance)

    def test_a_file_that_one_key_refuses_still_serves_the_next(self):
        run = {"values": [1.0, 2.0], "state": [1, 2]}
        self.cases({"a": run}, entry("a"))
        self.run_program("--with=weights")
        run = {**run, "state": [1, 3]}
        self.cases({"a": run, "b": {**run, "values": [1.0, 3.0]}}, entry("a"), entry("b", width=8))
        code, _, err = self.run_program("--with=weights", "--out=bucket")
        self.assertEqual(1, code)
        self.assertNotIn("b.weights", err.split("generate_artifacts: ", 1)[1])
        self.assertIn(self.lock()["b.weights"].object_name, self.snapshot(self.bucket))

    def test_row_34_nan_in_inputs_or_weights_is_refused(self):
        for role in ("inputs", "weights"):
            run = {"values": [1.0, 2.0], {"weights": "state"}.get(role, role): ["nan", 1]}
            self.cases({"a": run}, entry("a"))
            code, _, err = self.run_program("--with=" + role)
            self.assertEqual((1, {"a"}), (code, set(self.lock())))
            self.assertRegex(err, "a.%s: .*1 of 2 numbers are NaN or infinite" % role)


if __name__ == "__main__":
    unittest.main()
