"""The command line, and where an export goes."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
import unittest
from unittest import mock

from tools.results import errors, exporting
from tools.results.formats import registry
from tools.results.test_files import ProgramTest, real_record, record


class CommandLineTest(ProgramTest):
    def test_wrong_words_are_usage(self):
        for words in (
            [],
            ["exports"],
            ["import"],
            ["import", "x", "--samples=maybe"],
            ["export", "--format=csv"],
            ["export", "--output=x"],
            ["check"],
            ["query", "--format=xml", "latest"],
            ["query", "lates"],
        ):
            self.expect(3, *words)
            self.assertTrue(self.err.startswith("results: "), words)

    def test_help_says_formats_and_exit_codes(self):
        with mock.patch("sys.stdout") as out, self.assertRaises(SystemExit) as ended:
            self.run_program("--help")
        self.assertEqual(ended.exception.code, 0)
        said = "".join(call.args[0] for call in out.write.call_args_list)
        for word in ("Exit codes", "xla_jsonl", "parquet"):
            self.assertIn(word, said)

    def test_the_database_is_named_before_or_after_the_command(self):
        self.write("runs.jsonl", real_record())
        self.expect(0, "--database=a.sqlite", "import", "runs.jsonl")
        for words in (
            ["--database=a.sqlite", "query", "select count(*) as n from runs"],
            ["query", "select count(*) as n from runs", "--database=a.sqlite"],
            ["--database=b.sqlite", "query", "--database=a.sqlite", "select count(*) as n from runs"],
        ):
            self.assertEqual(self.expect(0, *words), "n\n1\n")
        self.assertFalse(os.path.exists(self.path("results.sqlite")))

    def test_without_a_database(self):
        self.expect(2, "query", "latest")
        self.assertIn("no such database; make it: tools/bazel run //tools:results -- import", self.err)
        self.assertFalse(os.path.exists(self.path("results.sqlite")), "asking made one")


    def test_a_database_that_is_not_there_names_those_that_are(self):
        self.write("runs.jsonl", real_record())
        self.write("run.txt", b"no results by its name")
        for name in ("week.sqlite", "results.sqlite"):
            self.expect(0, "import", "runs.jsonl", "--database=" + name)
        self.expect(2, "query", "latest", "--database=result.sqlite")
        self.assertIn("result.sqlite: no such database; beside it: results.sqlite, week.sqlite; make it: ", self.err)
        self.expect(2, "query", "latest", "--database=nowhere/result.sqlite")
        self.assertIn("no such database; make it: ", self.err)
        self.expect(2, "import", "run.jsonl")
        self.assertIn("run.jsonl: no such file; nothing was imported; beside it: runs.jsonl\n", self.err)

    def test_an_unknown_flag_names_the_likest(self):
        for words in (
            ["query", "latest", "--db=x.sqlite"],
            ["--db=x.sqlite", "query", "latest"],
            ["--db", "x.sqlite", "query", "latest"],
        ):
            self.expect(3, *words)
            self.assertIn("results: --db: did you mean --database?\n", self.err)
        self.expect(3, "export", "--format=csv", "--output=x", "--sample=no")
        self.assertIn("--sample: did you mean --samples?\n", self.err)
        for word, likest in (("--datxxxx", "--database"), ("--datxxxxxx", "")):  # half of the letters are the same, and fewer
            self.expect(3, "query", word, "latest")
            self.assertEqual("%s: did you mean --database?\n" % word in self.err, bool(likest), self.err)
        self.expect(3, "query", "--xyzzy", "latest")
        self.assertNotIn("did you mean", self.err)
        for words in (["export", "--format=csv"], ["export", "--format=csv", "--"]):
            self.expect(3, *words)
            self.assertNotIn("did you mean", self.err)


class ErrorsTest(unittest.TestCase):
    def test_what_is_nested_too_deep(self):
        for error in (RecursionError("maximum recursion depth exceeded"), TypeError("Recursion limit reached")):
            self.assertIn("nested", str(errors.refused(error)))
        self.assertNotIn("nested", str(errors.refused(ValueError("x"))))


class ExportTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("runs.jsonl", real_record(), record(outcome="TIMEOUT", started_utc="2026-11-23T00:00:00+00:00"))
        self.expect(0, "import", "runs.jsonl")

    def test_where_chooses(self):
        self.expect(0, "export", "--format=assay", "--output=out", "--where=outcome = 'TIMEOUT' -- those")
        self.assertEqual(self.read("out").count("\n"), 1)
        self.assertIn("TIMEOUT", self.read("out"))

    def test_a_wrong_where_is_shown(self):
        self.expect(3, "export", "--format=assay", "--output=out", "--where=outcom = 'PASS'")
        self.assertIn("did you mean outcome", self.err)
        self.assertEqual(os.listdir(self.folder).count("out"), 0)
        self.expect(3, "export", "--format=assay", "--output=out", "--where=1); delete from records; --")
        self.expect(3, "export", "--format=parquet", "--output=out", "--where=no_column")

    def test_footers_are_exported_with_their_run_and_no_other(self):
        footer = lambda name: {"schema_version": 2, "suite_run": {"id": name, "planned": "1", "complete": True}}
        runs = [record(launch__suite_run=name, started_utc="2026-11-2%dT00:00:00+00:00" % i) for i, name in enumerate("ab")]
        self.write("suites.jsonl", runs[0], footer("a"), runs[1], footer("b"))
        self.expect(0, "import", "suites.jsonl", "--database=s.sqlite")
        self.expect(0, "export", "--format=assay", "--output=out", "--where=suite_run = 'b'", "--database=s.sqlite")
        exported, end = map(json.loads, self.read("out").splitlines())
        self.assertEqual((exported["launch"]["suite_run"], end), ("b", footer("b")))
        self.expect(0, "check", "out")

    def test_what_a_format_cannot_hold_is_said_where_the_record_has_it(self):
        (document,) = map(json.loads, self.read("runs.jsonl").splitlines()[:1])
        self.write("one.jsonl", document)
        self.expect(0, "import", "one.jsonl", "--database=one.sqlite")
        told = 0
        for form in registry.WRITTEN:
            self.expect(0, "export", "--format=" + form.NAME, "--output=out", "--database=one.sqlite")
            got = {what for what in form.LOSSES if "%s cannot hold: %s\n" % (form.NAME, what) in self.err}
            self.assertEqual(got, {what for what, applies in form.LOSSES.items() if applies(document)}, form.NAME)
            told += len(form.LOSSES) - len(got)
        self.assertGreater(told, 0)

    def test_heads_of_other_files_are_told(self):
        for form, name in (("google_benchmark", "google_benchmark.json"), ("openxla_json", "openxla.json")):
            self.copy(name)
            words = ["export", "--format=" + form, "--output=out", "--database=%s.sqlite" % form]
            self.expect(0, "import", name, words[-1])
            self.expect(0, *words)
            self.assertNotIn("beside the first", self.err)
            other = json.loads(self.read(name))
            other[{"google_benchmark": "context", "openxla_json": "trigger"}[form]]["date"] = "2026-01-01T00:00:00+00:00"
            self.write("other.json", json.dumps(other).encode())
            self.expect(0, "import", "other.json", words[-1])
            self.expect(0, *words)
            self.assertIn("%s cannot hold: heads of 1 files beside the first" % form, self.err)

    def test_parquet_names_the_columns_with_secrets(self):
        runs = [record(outcome="CRASH", error=text, started_utc="2026-11-2%dT00:00:00+00:00" % i) for i, text in enumerate(("no", "HF_TOKEN=hf_abcdef"))]
        self.write("secrets.jsonl", *runs)
        self.expect(0, "import", "secrets.jsonl", "--database=s.sqlite")
        self.expect(0, "export", "--format=parquet", "--output=out", "--database=s.sqlite")
        self.assertIn("secrets taken out of the columns: error\n", self.err)

    def test_five_places_of_secrets_are_named(self):
        for count, want in ((5, "p0, p1, p2, p3, p4"), (6, "p0, p1, p2, p3, p4, …")):
            said = exporting._Said(anonymous=False)
            said.secrets, said.hidden = 2, {"p%d" % i: None for i in range(count)}
            chosen = mock.Mock(from_columns=0)
            self.assertEqual(said.lines(chosen, "csv"), ["secrets taken out of 2 records: " + want])

    def test_nothing_chosen_is_an_empty_file_of_the_format(self):
        for form in exporting.FORMATS:
            self.expect(0, "export", "--format=" + form, "--output=out." + form, "--where=0")
            self.assertIn("0 ", self.err)
            self.assertTrue(os.path.exists(self.path("out." + form)), form)

    def test_an_unknown_format(self):
        self.expect(3, "export", "--format=excel", "--output=out")
        self.assertIn("--format=excel: unknown; one of assay, xla_jsonl", self.err)

    def test_a_folder_that_is_missing(self):
        self.expect(2, "export", "--format=csv", "--output=nowhere/out.csv")
        self.assertIn("make the folder first", self.err)

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_folder_that_may_only_be_read(self):
        os.chmod(self.folder, stat.S_IRUSR | stat.S_IXUSR)
        self.addCleanup(os.chmod, self.folder, 0o700)
        self.expect(2, "export", "--format=csv", "--output=out.csv")
        self.expect(2, "import", "runs.jsonl", "--database=other.sqlite")
        self.assertIn("is %s a folder that you may write to?" % self.folder, self.err)

    def test_a_full_disk_leaves_no_half_file(self):
        with mock.patch("os.fsync", side_effect=OSError(28, "No space left on device")):
            self.expect(2, "export", "--format=assay", "--output=out")
        self.assertIn("No space left on device; nothing was written", self.err)
        self.assertEqual(sorted(os.listdir(self.folder)), ["results.sqlite", "runs.jsonl"])

    def test_a_damaged_database(self):
        with open(self.path("results.sqlite"), "r+b") as f:
            f.seek(4096)
            f.write(b"\xff" * 40960)
        code, _, err = self.run_program("export", "--format=assay", "--output=out")
        self.assertIn(code, (2, 3), err)
        self.assertNotIn("Traceback", err)

    def start(self, *words, stdout):
        environment = {**os.environ, "BUILD_WORKING_DIRECTORY": self.folder, "PYTHONPATH": os.pathsep.join(sys.path)}
        return subprocess.Popen(
            [sys.executable, "-s", "-S", "-m", "tools.results", *words],
            env=environment,
            stdout=stdout,
            stderr=subprocess.PIPE,
        )

    def test_to_standard_output(self):
        out, err = self.start("export", "--format=assay", "--output=-", stdout=subprocess.PIPE).communicate()
        self.assertEqual(out.count(b"\n"), 2, err)

    def test_what_is_exported_to_standard_output_is_not_left_in_a_buffer(self):
        with open(self.path("said"), "w", encoding="utf-8") as out:
            with exporting._opened("-", out) as opened:
                opened.write(b"a line")
            self.assertEqual(self.read("said"), "a line")

    def test_to_a_full_standard_output(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w") as full:
            for words in (["query", "latest"], ["export", "--format=assay", "--output=-"], ["check", "runs.jsonl"]):
                process = self.start(*words, stdout=full)
                _, err = process.communicate()
                self.assertEqual(process.returncode, 2, err)
                self.assertIn(b"No space left", err)
                self.assertNotIn(b"Traceback", err)

    def test_the_database_survives_an_export(self):
        before = sqlite3.connect(self.path("results.sqlite")).execute("SELECT count(*) FROM records").fetchone()
        self.expect(0, "export", "--format=assay", "--output=out")
        self.assertEqual(
            sqlite3.connect(self.path("results.sqlite")).execute("SELECT count(*) FROM records").fetchone(), before
        )


if __name__ == "__main__":
    unittest.main()
