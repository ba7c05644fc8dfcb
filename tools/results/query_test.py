"""Questions: right answers, no writing, and errors that point at their place."""

import csv
import json
import os
import subprocess
import sys
import unittest

from tools.results import questions
from tools.results.test_files import ProgramTest, real_record, record


def run(torch, median, started, **fields):
    made = record(environment__torch_version=torch, started_utc=started, **fields)
    for measurement in made["measurements"]:
        factor = median / measurement["median_ns"]
        for name in ("median_ns", "ci_low_ns", "ci_high_ns"):
            measurement[name] *= factor
    return made


class QueryTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write(
            "runs.jsonl",
            run("2.10.0", 200.0, "2026-11-20T00:00:00+00:00", environment__git_commit="a" * 40),
            run("2.11.0", 150.0, "2026-11-21T00:00:00+00:00", environment__git_commit="b" * 40),
            run("2.11.0", 100.0, "2026-11-22T00:00:00+00:00", environment__git_commit="b" * 40),
            record(
                outcome="OUT_OF_MEMORY",
                error="9 GiB",
                measurements=[],
                started_utc="2026-11-22T01:00:00+00:00",
                benchmark_case__name="big",
            ),
        )
        self.expect(0, "import", "runs.jsonl")

    def ask(self, *words):
        return json.loads(self.expect(0, "query", *words, "--format=json"))

    def test_every_question_by_name_has_an_answer_of_any_format(self):
        for question in questions.QUESTIONS:
            arguments = {"history": ["mlp_fp32_b1"], "speedup": ["2.10.0", "2.11.0"]}.get(question.name, [])
            for form in ("table", "csv", "json"):
                self.assertTrue(self.expect(0, "query", question.name, *arguments, "--format=" + form))
            self.assertIn(question.name, questions.listed())

    def test_latest_is_the_last_run_of_each_configuration_and_machine(self):
        rows = self.ask("latest")
        # Two machines, as far as results can tell: one with each version of torch.
        got = sorted((row["torch_version"], row["mode"] or "", row["median_ns"]) for row in rows)
        self.assertEqual(
            [g[:2] for g in got],
            [
                ("2.10.0", "throughput"),
                ("2.10.0", "wall"),
                ("2.11.0", ""),
                ("2.11.0", "throughput"),
                ("2.11.0", "wall"),
            ][: len(got)],
        )
        self.assertAlmostEqual(next(g[2] for g in got if g[:2] == ("2.11.0", "wall")), 100.0)

    def test_speedup_by_version_and_by_commit(self):
        for baseline, candidate in (("2.10.0", "2.11.0"), ("aaaaaaaa", "bbbbbbbb")):
            rows = self.ask("speedup", baseline, candidate)
            self.assertEqual(
                [row["mode"] for row in rows],
                ["throughput", "wall"] if rows[0]["mode"] == "throughput" else ["wall", "throughput"],
            )
            for row in rows:
                self.assertAlmostEqual(row["speedup"], 2.0)
                self.assertEqual(row["intervals"], "apart")

    def test_history_is_in_the_order_of_time(self):
        rows = [row for row in self.ask("history", "mlp_fp32_b1") if row["mode"] == "wall"]
        self.assertEqual([round(row["median_ns"]) for row in rows], [200, 150, 100])

    def test_failures_and_outcomes(self):
        self.assertEqual([(row["case_name"], row["reason"]) for row in self.ask("failures")], [("big", "9 GiB")])
        self.assertEqual(
            {row["outcome"]: row["runs"] for row in self.ask("outcomes") if row["torch_version"] == "2.11.0"},
            {"PASS": 2, "OUT_OF_MEMORY": 1},
        )

    def test_a_record_without_measurements_has_a_row(self):
        self.assertEqual(
            self.ask("select mode, median_ns from results where case_name = 'big'"), [{"mode": None, "median_ns": None}]
        )

    def test_samples_can_be_asked_for(self):
        rows = self.ask("select value from samples, json_each(samples_json(nanoseconds)) where measurement = 1")
        self.assertEqual([row["value"] for row in rows], real_record()["measurements"][0]["samples_ns"])

    def test_csv_has_every_digit(self):
        rows = list(
            csv.DictReader(
                self.expect(0, "query", "select max_error from runs where id = 1", "--format=csv").splitlines()
            )
        )
        self.assertEqual(float(rows[0]["max_error"]), real_record()["verdict"]["outputs"][0]["max_error"])

    def test_no_format_prints_what_moves_a_cursor_or_turns_a_line(self):
        odd = "a\x1b[2J\x9b1m\u202eb\u200f\r\tc"
        self.write("odd.jsonl", record(benchmark_case__name=odd, error=odd + "\nd", started_utc=odd))
        self.expect(0, "import", "odd.jsonl")
        sql = "select case_name, error as '\x1b[2J' from runs where error like '%d'"
        for form in ("table", "csv", "json"):
            out = self.expect(0, "query", sql, "--format=" + form)
            self.assertTrue(out.replace("\n", "").isprintable(), ascii(out))
        self.assertEqual(json.loads(out), [{"case_name": odd, "\x1b[2J": odd + "\nd"}])
        self.write("\x1b[2J.jsonl", real_record(), b'{"schema_version": "\x1b"}\n')
        for verb in ("import", "check"):
            self.expect(1, verb, "\x1b[2J.jsonl")
            self.assertTrue((self.out + self.err).replace("\n", "").isprintable(), ascii(self.out + self.err))

    def test_a_spreadsheet_computes_no_text(self):
        found = self.expect(0, "query", "select '=1+1', '+a', '-a', '@a', '-1.5e3', -2, 'a=1', ''", "--format=csv")
        self.assertEqual(found.splitlines()[1], "'=1+1,'+a,'-a,'@a,-1.5e3,-2,a=1,")
        self.write("x.csv", b"dev,name,batch_size,speedup,abs_latency,=1+1\ncpu,=1+1,1,-1.0,2.0,@a\n")
        self.expect(0, "import", "x.csv")
        self.expect(0, "export", "--format=dynamo_csv", "--output=out", "--where=model = '=1+1'")
        self.assertEqual(self.read("out").splitlines()[1], "cpu,'=1+1,1,-1.0,2.0,'@a")
        self.assertNotRegex(self.read("out"), "(^|[,\n])=")
        self.expect(0, "export", "--format=csv", "--output=out")
        self.assertNotRegex(self.read("out"), "(^|[,\n])=")

    def test_nothing_can_be_written(self):
        before = self.query("select count(*) as n from records")
        for sql in (
            "delete from records",
            "insert into cases default values",
            "drop table records",
            "create table t (x)",
            "attach database 'other.sqlite' as other",
            "pragma user_version = 7",
            "update records set outcome = 'PASS'",
            "vacuum into 'copy.sqlite'",
            "with x as (select 1) delete from records",
            "delete from runs",
        ):
            self.expect(3, "query", sql)
            self.assertIn("refused", self.err, sql)
        self.assertEqual(sorted(os.listdir(self.folder)), ["results.sqlite", "runs.jsonl"])
        self.assertEqual(self.query("select count(*) as n from records"), before)

    def test_a_syntax_error_is_shown_at_its_place(self):
        self.expect(3, "query", "select from_case, from runs\nwhere x")
        self.assertIn(
            'near "from": syntax error, line 1, column 19\n  select from_case, from runs\n                    ^',
            self.err,
        )
        self.expect(3, "query", "select 1\nfrom runs wher outcome = 'x'")
        self.assertIn("line 2, column 16", self.err)

    def test_a_wrong_name_is_shown_with_the_like(self):
        self.expect(3, "query", "select medain_ns from results")
        self.assertIn("no such column: medain_ns, line 1, column 8", self.err)
        self.assertIn("did you mean median_ns", self.err)
        self.expect(3, "query", "select 1 from result")
        self.assertIn("did you mean results", self.err)

    def test_wrong_words(self):
        for words in (
            ["lates"],
            ["history"],
            ["speedup", "2.10.0"],
            ["latest", "x"],
            [],
            [""],
            ["select 1; select 2"],
            ["-- no SQL"],
        ):
            self.expect(3, "query", *words)
            self.assertTrue(self.err.startswith("results: "), self.err)

    def test_a_reader_that_has_enough_is_no_error(self):
        environment = {**os.environ, "BUILD_WORKING_DIRECTORY": self.folder, "PYTHONPATH": os.pathsep.join(sys.path)}
        sql = "with recursive n(x) as (select 1 union all select x + 1 from n limit 300000) select x from n"
        process = subprocess.Popen(
            [sys.executable, "-s", "-S", "-m", "tools.results", "query", sql, "--format=csv"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.assertEqual(process.stdout.readline(), b"x\n")
        process.stdout.close()
        self.assertEqual((process.stderr.read(), process.wait()), (b"", 0))
        process.stderr.close()

    def test_long_tables_say_what_they_leave_out(self):
        sql = "with recursive n(x) as (select 1 union all select x + 1 from n limit 10007) select x from n"
        self.assertTrue(
            self.expect(0, "query", sql).endswith("and 7 rows more; --format=csv or json has all of them\n")
        )

    def test_list_names_questions_and_columns(self):
        self.expect(0, "query", "--list")
        for word in ("history CASE", "peak_device_bytes", "partial", "torch_version", "summary"):
            self.assertIn(word, self.out)


if __name__ == "__main__":
    unittest.main()
