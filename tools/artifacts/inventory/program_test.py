"""list, size and prune say what is there; nothing is changed unless --delete says so; mistakes get a sentence."""

import csv
import io
import os
import unittest

from tools.artifacts.generate import workspace
from tools.artifacts.generate.test_cases import entry
from tools.artifacts.inventory.test_tree import DATA, TreeTest, row_of


class ListTest(TreeTest):
    def test_every_row_says_where_its_blob_would_come_from_and_who_reads_it(self):
        self.put("artifacts/blobs", "toy_fp32_b2")
        self.put("artifacts/staged", "other_fp32_b1")
        rows = {record["key"]: record for record in self.records("list")}
        self.assertEqual(["tree", "staged", "nowhere"], [rows[key]["from"] for key in self.table])
        self.assertEqual(["//benchmarks/toy:toy_b8", "//benchmarks/toy:toy_b64"], rows["toy_fp32_b2"]["cases"])
        self.assertEqual(["//benchmarks/toy:other_fp32_b1"], rows["other_fp32_b1.weights"]["cases"])
        self.assertEqual("0123456789ab", rows["toy_fp32_b2"]["commit"])
        self.assertEqual("weights", rows["other_fp32_b1.weights"]["role"])
        rows = {record["key"]: record for record in self.records("list", ASSAY_BUCKET="gs://some-bucket/x")}
        self.assertEqual("bucket", rows["other_fp32_b1.weights"]["from"])
        self.put("cache", "other_fp32_b1.weights")
        (record,) = self.records("list", "--filter=weights", "--bucket=/nowhere")
        self.assertEqual("cache", record["from"])

    def test_text_and_csv_show_the_same_rows(self):
        code, out, _ = self.run_program("list", "--filter=^other", "--format=csv")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual((0, ["other_fp32_b1", "other_fp32_b1.weights"]), (code, [row["key"] for row in rows]))
        self.assertEqual(self.table["other_fp32_b1"].object_name, rows[0]["object"])
        code, out, _ = self.run_program("list", "--filter=^other")
        first_words = [line.split()[0] for line in out.splitlines()]
        self.assertEqual(["key", "other_fp32_b1", "other_fp32_b1.weights"], first_words[:3])
        self.assertIn("2 rows, 2 blobs, 24 B", out)
        self.assertIn("2 rows have no blob here and ASSAY_BUCKET is not set", out)


class SizeTest(TreeTest):
    def sizes(self, *flags, **environment):
        records = self.records("size", *flags, **environment)
        return {record["what"]: (record["blobs"], record["bytes"]) for record in records}

    def test_what_a_query_would_download_is_what_is_neither_here_nor_cached(self):
        self.put("artifacts/blobs", "toy_fp32_b2")
        sizes = self.sizes("--query=//benchmarks/toy/...", ASSAY_BUCKET="gs://some-bucket")
        other = len(DATA["other_fp32_b1"])
        # Weights are no test's business.
        self.assertEqual((2, other + len(DATA["toy_fp32_b2"])), sizes["needed"])
        self.assertEqual((1, other), sizes["to download"])
        self.assertEqual((1, len(DATA["toy_fp32_b2"])), sizes["embedded store in all"])
        self.put("cache", "other_fp32_b1")
        sizes = self.sizes("--query=//benchmarks/toy/...", ASSAY_BUCKET="gs://some-bucket")
        self.assertEqual((0, 0), sizes["to download"])

    def test_an_embedded_store_over_its_goal_is_said(self):
        self.assertIn("within its 16 MiB", self.run_program("size")[1])
        self.table["toy_fp32_b2"] = self.table["toy_fp32_b2"]._replace(size=17 << 20)
        self.write_lock()
        self.assertIn("OVER its 16 MiB", self.run_program("size")[1])

    def test_keys_without_a_row_are_said(self):
        self.cases(entry("toy_b8", key="toy_fp32_b2"), entry("new_fp32_b1"))
        code, _, err = self.run_program("size", "--query=//...")
        self.assertEqual(0, code)
        self.assertIn("1 keys of the query have no row yet: new_fp32_b1", err)


class PruneTest(TreeTest):
    def setUp(self):
        super().setUp()
        for key in DATA:
            self.put("artifacts/blobs", key)
            self.put("artifacts/staged", key)
        self.cases(entry("toy_b8", key="toy_fp32_b2"))
        orphan = row_of(b"orphan").object_name
        for name in (orphan, "notes.txt", ".gitkeep", orphan[:-4]):
            with open(os.path.join(self.artifacts, "blobs", name), "wb") as f:
                f.write(b"orphan")
        self.orphan = os.path.join(self.artifacts, "blobs", orphan)

    def test_row_28_what_nothing_refers_to_is_shown_and_stays_without_delete(self):
        before = self.snapshot()
        code, out, _ = self.run_program("prune")
        self.assertEqual((0, before), (code, self.snapshot()))
        self.assertIn("2 rows of no case, 5 blobs of no row (54 B); --delete removes them", out)
        self.assertIn(self.orphan, out)

    def test_delete_removes_rows_and_blobs_and_nothing_else(self):
        self.run_program("prune", "--delete")
        self.assertEqual(["toy_fp32_b2"], [record["key"] for record in self.records("list")])
        kept = self.table["toy_fp32_b2"].object_name
        names = sorted(os.listdir(os.path.join(self.artifacts, "blobs")))
        self.assertEqual(sorted([".gitkeep", "notes.txt", os.path.basename(self.orphan)[:-4], kept]), names)
        self.assertEqual([kept], os.listdir(os.path.join(self.artifacts, "staged")))
        self.assertEqual([], self.records("prune"))

    def test_a_registry_without_cases_makes_nothing_unused(self):
        self.cases()
        before = self.snapshot()
        code, _, err = self.run_program("prune", "--delete")
        self.assertEqual((2, before), (code, self.snapshot()))
        self.assertIn("names no case", err)

    def test_nothing_is_pruned_while_a_generator_works(self):
        with workspace.locked(self.artifacts):
            code, _, err = self.run_program("prune", "--delete")
        self.assertEqual(2, code)
        self.assertIn("another", err)
        self.assertTrue(os.path.exists(self.orphan))


class MistakesTest(TreeTest):
    def test_mistakes_on_the_command_line_are_exit_code_3_with_a_sentence(self):
        for flags, words in {
            (): "arguments are required",
            ("moon",): "invalid choice",
            ("list", "--filter=("): "not a regular expression",
            ("list", "--filter=moon"): "none of 3 rows",
            ("list", "--query=//moon/..."): "finds none of 3 cases",
            ("list", "--bucket=ftp://x"): "ftp",
            ("check", "--jobs=0"): "at least 1",
            ("prune", "--filter=x"): "unrecognized",
            ("list", "--buckt=https://me:pa/ss@h/b"): "https://***@h/b",
            ("list", "--bucket=https://me:pa/ss@h/b"): "https://***@h/b",
        }.items():
            with self.subTest(flags=flags):
                code, _, err = self.run_program(*flags)
                self.assertEqual(3, code)
                self.assertIn(words, err)
                self.assertNotIn("Traceback", err)

    def test_a_relative_cache_is_refused(self):
        code, _, err = self.run_program("list", ASSAY_CACHE="cache")
        self.assertEqual(3, code)
        self.assertIn("ASSAY_CACHE=cache: want an absolute path", err)

    def test_a_damaged_lock_is_exit_code_2_with_its_line(self):
        with open(os.path.join(self.artifacts, "lock.bzl"), "w") as f:
            f.write("LOCK = {\n<<<<<<<")
        code, _, err = self.run_program("list")
        self.assertEqual(2, code)
        self.assertRegex(err, "lock.bzl: line 2")


if __name__ == "__main__":
    unittest.main()
