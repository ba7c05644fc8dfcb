"""Questions: right answers, no writing, and errors that point at their place."""

import csv
import itertools
import json
import os
import re
import subprocess
import sys
import unittest

import pyarrow.parquet

from tools.results import named_queries
from tools.results.cells import table_cell
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
        for question in named_queries.QUESTIONS:
            arguments = {"history": ["mlp_fp32_b1"], "speedup": ["2.10.0", "2.11.0"]}.get(question.name, [])
            for form in ("table", "csv", "json"):
                self.assertTrue(self.expect(0, "query", question.name, *arguments, "--format=" + form))
            self.assertIn(question.name, named_queries.listed())

    def test_sizes_has_a_row_for_each_size_and_one_for_all_calls(self):
        def sized(mode, median_ns, **varied):
            return {"mode": mode, "step": "forward", "median_ns": median_ns, "samples_ns": [median_ns] * 6, "varied": varied}

        small = sized("vary:tokens=8", 1e6, size="tokens=8", weight="3", alone_ns=8e5, ratio=1.25, made_s=0.5, compilations="1")
        small |= {"unit": "token", "units_per_call": 8, "first_call_ns": 9e6}
        everything = sized("vary", 2e6, weight="4", ratio=1.1, compilations="2")
        everything |= {"calls_per_sample": "4", "unit": "token", "units_per_call": 7}
        self.write("sizes.jsonl", record(measurements=[everything, small]))
        self.expect(0, "import", "sizes.jsonl")
        first, second = self.ask("sizes")
        want = {"size": "all, as dealt", "weight": 4, "calls": 24, "units_per_s": 3500, "over_alone": 1.1, "compilations": 2}
        self.assertEqual({name: first[name] for name in want}, want)
        want = {"size": "tokens=8", "weight": 3, "calls": 6, "units_per_s": 8000, "alone_ns": 8e5, "over_alone": 1.25, "made_s": 0.5}
        self.assertEqual({name: second[name] for name in want}, want)

    def test_a_table_for_people(self):
        """Columns of numbers stand to the right, those that hold one text to the left; durations have their units."""
        cells = "select %s union all select %s"
        first = "1 as a, 'xyz' as b, 999.5 as c_ns, 0.5 as d_s, 1.23456789 as e_per_s, null as f, x'0a' as g"
        second = "22, '3', 2e9, 999.4e-9, 7, 5, 'z'"
        self.assertEqual(
            [line.rstrip() for line in self.expect(0, "query", cells % (first, second)).splitlines()],
            [" a  b       c       d  e_per_s  f  g", " 1  xyz  1 us  500 ms  1.23457     0a", "22  3     2 s  999 ns        7  5  z"],
        )

    def test_durations(self):
        for value, want in (
            (0, "0 ns"),
            (999.4, "999 ns"),
            (999.5, "1 us"),
            (-999.5, "-1 us"),
            (999.4e3, "999 us"),
            (999.5e3, "1 ms"),
            (999.4e6, "999 ms"),
            (999.5e6, "1 s"),
            (12.345e9, "12.3 s"),
            (999.4e9, "999 s"),
            (999.5e9, "1000 s"),
            (1050e9, "1050 s"),
            (123456e9, "123456 s"),
        ):
            self.assertEqual(table_cell(value, "median_ns"), want)
        self.assertEqual([table_cell(s, "duration_s") for s in (2.5, 0.0004)], ["2.5 s", "400 us"])
        for column in ("units_per_s", "median"):
            self.assertEqual(table_cell(1234567.0, column), "1.23457e+06")

    def test_latest_is_the_last_run_of_each_configuration_and_machine(self):
        def last():
            return sorted((row["case_name"], row["mode"] or "", round(row["median_ns"] or 0)) for row in self.ask("latest"))

        # A commit, a dirty tree and a version of torch are no other machine; "big" was run in another configuration.
        self.assertEqual(last(), [("big", "", 0), ("mlp_fp32_b1", "throughput", 100), ("mlp_fp32_b1", "wall", 100)])
        self.assertEqual([round(row["median_ns"]) for row in self.ask("slowest")], [100, 100])
        started = "2026-11-23T00:00:00+00:00"
        self.write(
            "more.jsonl",
            run("2.12.0", 300.0, started, environment__git_dirty=True, environment__compiler="gcc 14", verdict={}),
            run("2.11.0", 500.0, started, environment__cpu_model="another"),
        )
        self.expect(0, "import", "more.jsonl")
        self.assertEqual([row[1:] for row in last() if row[1] == "wall"], [("wall", 300), ("wall", 500)])

    def test_configurations_that_differ_in_how_they_are_called_are_kept_apart(self):
        others = [
            {"benchmark_case__execution__no_grad": True},
            {"benchmark_case__training": {"optimizers": [{"adam": {"learning_rate": 0.1}}]}},
            {"benchmark_case__training": {"optimizers": [{"sgd": {"learning_rate": 0.1}}]}},
            {"benchmark_case__training": {"optimizers": [{"sgd": {"learning_rate": 0.1}}], "clip_norm": 1}},
            {"environment__variables": {"allocator": "default"}},
        ]
        self.write("more.jsonl", *(run("2.12.0", 50.0, "2026-11-23T00:00:00+00:00", **fields) for fields in others))
        for samples in ("yes", "no"):
            self.expect(0, "import", "more.jsonl", "--database=more.sqlite", "--samples=" + samples)
            self.expect(0, "export", "--database=more.sqlite", "--format=assay", "--output=own.jsonl")
            os.remove(self.path("more.sqlite"))
            self.expect(0, "import", "own.jsonl", "--samples=" + samples)
            self.assertEqual(len([row for row in self.ask("latest") if row["mode"] == "wall"]), 1 + len(others))
            self.expect(2, "query", "speedup", "2.11.0", "2.12.0")
        settings = self.ask("select settings from runs where settings is not null order by id limit 1")
        self.assertEqual(json.loads(settings[0]["settings"]), {"execution": {"no_grad": True}})

    def test_rows_of_one_name_show_what_differs(self):
        made = []
        for i, (batch, lowering) in enumerate([("1", "none"), ("4", "none"), ("1", "int8_weights")]):
            settings = {"batch": batch, "lowering": lowering, "threads": "2", "device": "cuda" if i else "cpu"}
            started = "2026-11-2%dT00:00:00+00:00" % (i + 3)
            made.append(record(configuration={"digest": "d%d" % i, "settings": settings}, started_utc=started))
            made[-1]["measurements"] = [{**made[-1]["measurements"][0], "median_ns": 2e6, "unit": "token", "units_per_call": 8.0}]
        self.write("called.jsonl", *made)
        self.expect(0, "import", "called.jsonl", "--database=called.sqlite")
        rows = self.ask("latest", "--database=called.sqlite")
        self.assertEqual(
            [row["called"] for row in rows], ["batch=1 lowering=int8_weights", "batch=1 lowering=none", "batch=4 lowering=none"]
        )
        self.assertEqual([row["units_per_s"] for row in rows], [4000, 4000, 4000])
        rates = self.ask("select units_per_s from results where unit = 'token'", "--database=called.sqlite")
        self.assertEqual(rates, [{"units_per_s": 4000}] * 3)
        self.expect(0, "export", "--format=parquet", "--output=rates", "--database=called.sqlite")
        self.assertEqual(pyarrow.parquet.read_table(self.path("rates"))["units_per_s"].to_pylist(), [4000.0] * 3)
        self.expect(3, "query", "select unit_per_s from results")
        self.assertIn("did you mean units_per_s", self.err)

    def test_tokens_a_second(self):
        made = record(benchmark_case__mode="GENERATE", benchmark_case__model="gpt", benchmark_case__batch="2")
        (first, *_) = made["measurements"]
        steps = {"prefill": 16.0, "decode": 2.0, "generate": 8.0}
        made["measurements"] = [
            {**first, "step": step, "mode": mode, "unit": "token", "units_per_call": units, "median_ns": 1e6}
            for step, units in steps.items()
            for mode in ("throughput", "wall")
        ]
        del made["measurements"][3]["median_ns"]  # decode, whose wall is not known
        self.write("tokens.jsonl", made)
        self.expect(0, "import", "tokens.jsonl", "--database=tokens.sqlite", "--samples=no")
        rows = self.ask("tokens", "--database=tokens.sqlite")
        self.assertEqual(
            [(row["model"], row["test"], row["tokens_per_s"], row["deviation_per_s"]) for row in rows],
            [("gpt", "pp8", 16000, None), ("gpt", "tg4 @ d8", 2000, None), ("gpt", "pp8+tg4", 24000, None)],
        )

    def test_machines_are_compared_by_what_others_have_run_too(self):
        of_nodes = {"n1": 100.0, "n2": 400.0}
        runs = [run("2.11.0", median, "2026-11-24T00:00:00+00:00", environment__node=node) for node, median in of_nodes.items()]
        runs.append(run("2.11.0", 7.0, "2026-11-24T00:00:00+00:00", environment__node="n1", benchmark_case__name="alone"))
        for measurement in (m for made in runs for m in made["measurements"]):
            measurement["checks"] = []
        self.write("nodes.jsonl", *runs)
        self.expect(0, "import", "--database=nodes.sqlite", "nodes.jsonl")
        machines = self.ask("machines", "--database=nodes.sqlite")
        found = [(row["node"], row["medians"], row["shared"], round(row["slower"], 6)) for row in machines]
        self.assertEqual(found, [("n2", 2, 2, 2.0), ("n1", 4, 2, 0.5)])
        runs[1]["measurements"][0]["checks"] = [{"name": "steady", "status": "CHECK_FLAGGED"}]
        runs[0]["outcome"] = "FAIL_ACCURACY"
        self.write("failed.jsonl", *runs)
        self.expect(0, "import", "--database=failed.sqlite", "failed.jsonl")
        machines = self.ask("machines", "--database=failed.sqlite")
        self.assertEqual([(row["flagged"], row["shared"], row["slower"]) for row in machines], [(0, 0, None), (1, 0, None)])
        # No ratio is of two nodes: each is a machine of its own.
        self.assertEqual(len(self.ask("latest", "--database=nodes.sqlite")), 6)

    def test_nothing_to_compare_is_no_answer(self):
        for words in (("2.10.0", "9.9"), ("2.10.0", "cccccccc")):
            self.expect(2, "query", "speedup", *words)
            self.assertIn("query speedup 2.10.0 %s: nothing to compare: no configuration" % words[1], self.err)
            self.assertEqual(self.out, "")

    def test_back_ends_stand_beside_each_other(self):
        fast = run("2.11.0", 25.0, "2026-11-20T00:00:00+00:00", benchmark_case__execution__backend="AOT")
        row = {
            "model": {"suite_name": "torchbench", "model_name": "gpt"},
            "experiment": {"accelerator": "cpu", "accelerator_model": "x", "test": "eval", "batch_size": 4},
            "iterations_per_run": 1,
        }
        self.write("own.jsonl", fast)
        compiled = {**row, "experiment": {**row["experiment"], "dynamo": "inductor"}}
        self.write(
            "xla.jsonl", {**row, "metrics": {"per_iter_time": [8.0]}}, {**compiled, "metrics": {"per_iter_time": [2.0]}}
        )
        self.expect(0, "import", "own.jsonl", "xla.jsonl")
        rows = [row for row in self.ask("backends") if row["mode"] == "wall"]
        self.assertEqual(
            [(row["program"], row["backend"], round(row["over_eager"], 6)) for row in rows],
            [("gpt", "eager", 1), ("gpt", "inductor", 4), ("mlp", "aot", 4), ("mlp", "eager", 1)],
        )

    def test_family_and_label_are_columns(self):
        rows = self.ask("select distinct family, label from results where case_name = 'mlp_fp32_b1'")
        self.assertEqual(rows, [{"family": "mlp", "label": "//benchmarks/mlp:mlp_fp32_b1"}])

    def test_a_table_has_durations_for_eyes(self):
        sql = (
            "select 20460000000.0 as a_ns, 640000000 as b_ns, 999600 as c_ns, 12.34 as d_ns, 0 as e_ns, 0.25 as elapsed_s,"
            " 5e12 as f_ns, null as g_ns, 12.5 as gb_per_s"
        )
        head, row = self.expect(0, "query", sql).splitlines()
        self.assertEqual(head.split(), ["a", "b", "c", "d", "e", "elapsed", "f", "g", "gb_per_s"])
        self.assertEqual(re.split(" {2,}", row), ["20.5 s", "640 ms", "1 ms", "12.3 ns", "0 ns", "250 ms", "5000 s", "12.5"])
        self.assertIn("20460000000.0", self.expect(0, "query", sql, "--format=csv"))

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

    def test_speedup_pairs_no_two_configurations(self):
        def measured(version, digest, **settings):
            configuration = {"digest": digest, "settings": settings}
            return record(environment__torch_version=version, configuration=configuration, started_utc=_later())

        later = itertools.count()

        def _later():
            return "2026-01-01T00:00:%02dZ" % next(later)

        flags = ["threads", "allocator", "optimizer", "exec-mode", "inject", "weights", "backend", "backend.torchscript_freeze"]
        others = [measured("3.1", "d%d" % i, **{flag: "other"}) for i, flag in enumerate(flags)]
        self.write("a.jsonl", measured("3.0", "d"), record(environment__torch_version="3.1"), *others)
        self.expect(0, "import", "a.jsonl")
        self.expect(2, "query", "speedup", "3.0", "3.1")
        self.write("b.jsonl", measured("3.1", "d"))
        self.expect(0, "import", "b.jsonl")
        self.assertEqual(len(self.ask("speedup", "3.0", "3.1")), 2, "wall and throughput")
        # Each of these is a configuration of its own; only the last two are one program with two back ends.
        rows = self.ask("select configuration, flags from results where torch_version = '3.1' and mode = 'wall' order by 1")
        self.assertEqual(
            [row["flags"] for row in rows],
            [None, None] + [json.dumps({flag: "other"}, separators=(",", ":")) for flag in flags[:6]] + [None, None],
        )

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
