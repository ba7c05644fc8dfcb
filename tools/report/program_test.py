"""The program as a user types it: sources, summaries, what no mean may have, bad input."""

import csv
import io
import json
import os
import re
import shutil
import stat
import unittest
from unittest import mock

import numpy as np

from artifacts.fetch.secret_table import SECRET, with_secrets
from tools.report import estimates, fixtures, program
from tools.results.errors import Stop
from tools.results.test_files import record
from tools.roofline import analysis


def timed(name, median, low, high, backend="EAGER", **fields):
    """A record of this suite with one measurement."""
    made = record(benchmark_case__name=name, benchmark_case__execution__backend=backend, **fields)
    (first, *_) = made["measurements"]
    first.update(median_ns=median, ci_low_ns=low, ci_high_ns=high, checks=[])
    made["measurements"] = [first]
    return made


def suite(*names, **fields):
    """Eager at 100 ns and torchscript at 50, each known to 1 %."""
    made = []
    for name in names:
        made.append(timed(name, 100, 99, 101, benchmark_case__model=name, **fields))
        made.append(timed(name + "_torchscript", 50, 49.5, 50.5, "TORCHSCRIPT", benchmark_case__model=name, **fields))
    return made


class EstimatesTest(unittest.TestCase):
    def test_a_ratio_is_that_of_the_roofline(self):
        a, b = (10.0, 9.0, 12.0), (4.0, 3.9, 4.5)
        wanted = analysis.ratio(analysis.Estimate(*a), analysis.Estimate(*b))
        both = [estimates.Estimates(*(np.array([v]) for v in (*part, np.nan))) for part in (a, b)]
        np.testing.assert_allclose(estimates.ratio(*both).one(0)[:3], (wanted.value, wanted.low, wanted.high), rtol=1e-12)

    def test_a_mean_of_equal_parts_is_known_better_by_the_root_of_their_number(self):
        parts = estimates.Estimates(*(np.full(4, v) for v in (2.0, 1.0, 4.0, 0.2)))
        value, low, high, deviation = estimates.geometric_means(parts, np.zeros(4, int), 1).one(0)
        np.testing.assert_allclose((value, low, high, deviation), (2.0, 2 * 0.5**0.5, 2 * 2**0.5, 0.1))

    def test_a_mean_with_a_part_of_unknown_width_has_no_interval(self):
        parts = estimates.Estimates(*(np.array(v) for v in ([2.0, 8.0], [1.0, np.nan], [4.0, np.nan], [0.1, np.nan])))
        self.assertEqual(estimates.geometric_means(parts, np.zeros(2, int), 1).one(0), (4.0, None, None, None))

    def test_student(self):
        # Tables of Student's t, two-sided 95 %: 31, 60 and 120 degrees of freedom.
        for degrees, wanted in ((1, 12.706), (30, 2.042), (31, 2.040), (60, 2.000), (120, 1.980)):
            self.assertAlmostEqual(estimates.student95(degrees), wanted, delta=0.001)


class HelpTest(fixtures.ReportTest):
    def said(self, *words):
        with mock.patch("sys.stdout", io.StringIO()) as out, self.assertRaises(SystemExit) as ended:
            self.run_program(*words)
        self.assertEqual(ended.exception.code, 0)
        return out.getvalue()

    def test_short_help_fits_on_a_screen_and_names_flags_that_exist(self):
        short, whole = self.said("--help"), self.said("--help=all")
        self.assertEqual(self.said("FOLDER", "-h"), short)
        lines = short.splitlines()
        self.assertLessEqual(len(lines), 25)
        self.assertLessEqual(max(map(len, lines)), 125)
        self.assertEqual(lines[-1], "--help=all explains all flags.")
        flags = re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", short, re.MULTILINE)
        self.assertGreater(len(flags), 8)
        for flag in flags:
            self.assertIn(flag, whole)
        self.assertIn("--exclude-by-tier", whole)
        self.assertNotIn("--exclude-by-tier", short)


class SourcesTest(fixtures.ReportTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("suite"))
        self.write("suite/results.jsonl", *suite("mlp", "resnet18"))

    def test_a_folder_fills_its_database(self):
        (table, _) = self.tables("suite", "--report=summary")
        self.assertEqual(sorted(os.listdir(self.path("suite"))), ["results.jsonl", "results.sqlite"])
        self.assertEqual(self.tables("suite/results.sqlite", "--report=summary")[0], table)

    def test_folders_files_and_databases_together(self):
        os.mkdir(self.path("other"))
        self.write("other/results.jsonl", *suite("bert"))
        self.write("one.jsonl", *suite("gpt2"))
        self.tables("other", "--report=summary")  # fills other/results.sqlite
        names = lambda *sources: [row[0] for row in self.tables(*sources, "--report=latest_grouped")[0]["rows"]]
        self.assertEqual(names("suite", "other"), ["bert", "mlp", "resnet18", "GEOMEAN"])
        self.assertEqual(names("other/results.sqlite", "one.jsonl", "suite"), ["bert", "gpt2", "mlp", "resnet18", "GEOMEAN"])
        self.assertEqual(sorted(os.listdir(self.path("suite"))), ["results.jsonl"])
        self.expect(0, "suite", "other", "one.jsonl")
        self.assertIn(self.path("report.html"), self.out)
        self.assertIn("Results of suite and 2 more", self.read("report.html"))
        self.expect(2, "suite", "nowhere")
        os.mkdir(self.path("empty"))
        self.expect(2, "suite", "empty")
        self.assertIn("empty: holds no results.jsonl", self.err)

    def test_files_leave_nothing(self):
        shutil.copy(self.path("suite/results.jsonl"), self.path("a.jsonl"))
        self.expect(0, "a.jsonl", "suite/results.jsonl", "--report=summary")
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.jsonl", "suite"])

    def test_out_is_written_whole_and_named(self):
        self.assertEqual(self.expect(0, "suite", "--report=summary", "--format=csv", "--out=s.csv"), self.path("s.csv") + "\n")
        self.assertEqual({len(row) for row in csv.reader(io.StringIO(self.read("s.csv")))}, {13})

    def test_nothing_to_report_is_no_green(self):
        self.write("empty.jsonl")
        self.write("torn.jsonl", b'{"schema_version": 2')
        self.write("footer.jsonl", b'{"schema_version": 2, "suite_run": {"id": "a", "complete": true}}\n')
        for words in (
            ["empty.jsonl"],
            ["torn.jsonl"],
            ["footer.jsonl"],
            ["suite", "-k", "nothing"],
            ["suite", "--suite=huggingface"],
        ):
            for form in ("table", "json", "html"):
                self.expect(2, *words, "--report=summary", "--format=" + form)
                self.assertIn("nothing to report", self.err)
                self.assertEqual(self.out, "")
        self.expect(2, "empty.jsonl")
        self.assertIn("no runs in empty.jsonl; run_suite --out=FOLDER writes some", self.err)
        self.assertEqual(os.listdir(self.folder).count("report.html"), 0)

    def test_wrong_words(self):
        os.mkdir(self.path("bare"))
        for code, said, words in (
            (3, "a report of what?", []),
            (3, "invalid choice", ["suite", "--report=latests"]),
            (3, "no regular expression", ["suite", "-k", "("]),
            (3, "of two sources: OLD NEW", ["suite", "--report=changes"]),
            (3, "of two sources: OLD NEW", ["suite", "suite", "--report=changes", "--format=html"]),
            (3, "there is no run of 'xla'; there are eager, torchscript", ["suite", "--report=latest", "--backends=xla"]),
            (3, "has no picture", ["suite", "--report=targets", "--format=svg"]),
            (3, "--out=FILE.png", ["suite", "--report=latest", "--format=png"]),
            (3, "2 rounds", ["suite", "--report=stability", "--rounds=1"]),
            (3, "tier 7: there are 1, 2, 3", ["suite", "--report=latest", "--filter-by-tier=7"]),
            (2, "no such file", ["nowhere.jsonl"]),
            (2, "holds no results.jsonl", ["bare"]),
            (2, "--out is a file: --out=", ["suite", "--out=bare"]),
            (2, "no campaign has this commit", ["suite", "--report=latest", "--baseline=abcdef12"]),
        ):
            self.expect(code, *words)
            self.assertIn(said, self.err)

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_folder_that_may_only_be_read(self):
        os.chmod(self.path("suite"), stat.S_IRUSR | stat.S_IXUSR)
        self.addCleanup(os.chmod, self.path("suite"), 0o700)
        self.expect(2, "suite")
        self.assertIn("a folder that you may write to?", self.err)

    def test_why_a_file_cannot_be_written(self):
        for name, mend in (
            ("report.html", "is %s a folder that you may write to? --out=FILE names another" % self.folder),
            (".", "--out is a file: --out=%s/./report.html" % self.folder),
            ("nowhere/report.html", "make the folder first"),
        ):
            with self.assertRaises(Stop) as stopped, program._writable(self.path(name)):
                raise PermissionError(13, "Permission denied")
            self.assertEqual(str(stopped.exception), "%s: Permission denied; nothing was written; %s" % (self.path(name), mend))

    def test_wrong_lines_are_told_and_the_others_reported(self):
        bad = record(measurements=[{"mode": "wall", "median_ns": -1.0}])
        other = record(schema_version=1)
        self.write("mixed.jsonl", *suite("mlp"), bad, other, b'{"NaN": NaN}\n')
        self.expect(1, "mixed.jsonl", "--report=summary")
        for said in ("mixed.jsonl:3: bad number", "mixed.jsonl:4: other schema", "mixed.jsonl:5: "):
            self.assertIn(said, self.err)
        self.assertIn("100 %, 1/1", self.out)


class MeansTest(fixtures.ReportTest):
    def summary(self, *words):
        table, warnings, *_ = self.tables(*words, "--report=summary")
        rows = [dict(zip(table["columns"], row)) for row in table["rows"]]
        return {row["Backend"]: row for row in rows}, table, [dict(zip(warnings["columns"], row)) for row in warnings["rows"]]

    def test_a_mean_is_over_the_same_models_and_is_not_clipped(self):
        slow = timed("bert_torchscript", 400, 396, 404, "TORCHSCRIPT", benchmark_case__model="bert")
        more = timed("gpt2_exported", 100, 99, 101, "EXPORTED", benchmark_case__model="gpt2")
        both = [timed(m + "_exported", 80, 79, 81, "EXPORTED", benchmark_case__model=m) for m in ("mlp", "bert")]
        self.write("a.jsonl", *suite("mlp", "bert", "gpt2")[:2], *suite("bert")[:1], slow, *suite("gpt2"), more, *both)
        rows, _, warnings = self.summary("a.jsonl")
        self.assertEqual(rows["exported"]["Models"], 3)
        self.assertAlmostEqual(rows["torchscript"]["Geomean speedup"], (2 * 0.25 * 2) ** (1 / 3))
        self.assertAlmostEqual(rows["exported"]["Geomean speedup"], (1.25 * 1.25 * 1) ** (1 / 3))
        self.assertEqual(
            [(w["Case"], w["Warning"], w["Value"]) for w in warnings if "speedup" in w["Warning"]],
            [("bert_torchscript", "speedup below 0.95", 0.25)],
        )

    def test_a_failed_and_a_flagged_run_enter_no_mean(self):
        good = suite("mlp", "bert", "gpt2", "dlrm")
        good[3]["outcome"] = "FAIL_ACCURACY"  # bert by torchscript, which would be as fast
        good[5]["measurements"][0]["checks"] = [{"name": "steady", "status": "CHECK_FLAGGED"}]
        good[7]["outcome"] = "NOT_VERIFIED"
        self.write("a.jsonl", *good)
        rows, table, warnings = self.summary("a.jsonl")
        self.assertEqual((rows["torchscript"]["Models"], rows["torchscript"]["Pass rate"]), (1, "50 %, 2/4"))
        self.assertEqual(table["left_out"], {"FAIL_ACCURACY": 1, "FLAGGED steady": 1, "NOT_VERIFIED": 1})
        self.assertIn(
            "left out of every mean: 3 of the runs (1 FAIL_ACCURACY, 1 FLAGGED steady, 1 NOT_VERIFIED); --unverified lets",
            table["notes"][-1],
        )
        self.assertIn("; on a quiet machine run_suite --retry-flagged", table["notes"][-1])
        self.assertEqual({w["Reason"] for w in warnings}, {"FAIL_ACCURACY", "NOT_VERIFIED"})
        self.assertEqual(self.summary("a.jsonl", "--unverified")[0]["torchscript"]["Models"], 2)

    def test_a_later_failure_is_not_hidden_by_an_earlier_pass(self):
        later = suite("mlp", started_utc="2026-11-23T00:00:00+00:00")[1]
        later["outcome"] = "CRASH"
        self.write("a.jsonl", *suite("mlp"), later)
        rows, _, _ = self.summary("a.jsonl")
        self.assertEqual((rows["torchscript"]["Pass rate"], rows["torchscript"]["Geomean speedup"]), ("0 %, 0/1", None))

    def test_a_baseline_whose_every_case_failed(self):
        runs = suite("mlp", "bert")
        for run in runs[::2]:
            run["outcome"] = "FAIL_NONFINITE"
        self.write("a.jsonl", *runs)
        self.expect(2, "a.jsonl", "--report=latest", "--backends=eager,torchscript")
        self.assertIn("no baseline: none of the runs of the back end eager may be one (2 FAIL_NONFINITE)", self.err)
        self.assertIn("eager is no baseline of assay fp32 inference: none of its runs may be one", self.summary("a.jsonl")[1]["notes"])
        for run in runs:
            run["outcome"] = "FAIL_NONFINITE"
        self.write("a.jsonl", *runs)
        self.assertFalse([note for note in self.summary("a.jsonl")[1]["notes"] if "is no baseline" in note])

    def test_a_time_of_zero_is_none(self):
        runs = suite("mlp")
        runs[1]["measurements"][0].update(median_ns=0, ci_low_ns=0, ci_high_ns=0)
        self.write("a.jsonl", *runs)
        runs[0]["measurements"][0].update(median_ns=0.5, ci_low_ns=0.4, ci_high_ns=0.6)
        self.write("a.jsonl", *runs)
        self.assertEqual(self.summary("a.jsonl")[1]["left_out"], {"no time": 1})

    def test_no_ratio_of_two_machines_but_by_across(self):
        eager, fast = suite("mlp")
        fast["environment"]["cpu_model"] = "Another CPU"
        self.write("a.jsonl", eager, fast)
        rows, _, _ = self.summary("a.jsonl")
        self.assertIsNone(rows["torchscript"]["Geomean speedup"])
        self.assertEqual(self.summary("a.jsonl", "--across")[0]["torchscript"]["Geomean speedup"], 2)
        (table,) = self.tables("a.jsonl", "--report=targets")
        self.assertEqual("1 ratios would be of two machines; --across gives them", table["notes"][0])
        self.assertEqual([cell for cell in table["rows"][0][6:] if cell], [100e-6, 50e-6])

    def test_machines_are_told_where_there_are_several(self):
        alike = {"environment__node": "n1", "environment__governor": "performance"}
        slow = {"environment__node": "n2", "environment__governor": "powersave"}
        runs = suite("mlp", "bert", **alike) + suite("mlp", **slow)
        for run in runs[4:]:
            (measurement,) = run["measurements"]
            measurement.update({name: 2 * measurement[name] for name in ("median_ns", "ci_low_ns", "ci_high_ns")})
        self.write("a.jsonl", *runs)
        (table,) = self.tables("a.jsonl", "--report=machines")
        told = [[row[0], row[5], *row[6:9], round(row[9], 3)] for row in table["rows"]]
        self.assertEqual(told, [["n2", "powersave", 2, 0, 2, 1.414], ["n1", "performance", 4, 0, 2, 0.707]])
        self.assertEqual(self.tables("a.jsonl", "--report=summary")[2]["rows"], table["rows"])
        self.assertIn("\nMachines\n", self.expect(0, "a.jsonl"))
        self.assertIn('"title":"Machines"', self.read("report.html"))
        (table,) = self.tables("a.jsonl", "--report=machines", "-k", "bert")
        self.assertEqual([(row[0], row[6], row[9]) for row in table["rows"]], [("n1", 2, None)])
        self.assertEqual(len(self.tables("a.jsonl", "--report=summary", "--machine=n1")), 2)
        # A run that failed or is flagged says nothing about a machine.
        runs[4]["outcome"] = "FAIL_ACCURACY"
        runs[5]["measurements"][0]["checks"] = [{"name": "steady", "status": "CHECK_FLAGGED"}]
        self.write("b.jsonl", *runs)
        (table,) = self.tables("b.jsonl", "--report=machines")
        self.assertEqual([row[6:] for row in table["rows"]], [[4, 0, 0, None], [2, 1, 0, None]])

    def test_what_nobody_verified_tells_of_a_machine_only_if_asked(self):
        for outcome, words, shared in (("PASS", [], 2), ("NOT_VERIFIED", [], 0), ("NOT_VERIFIED", ["--unverified"], 2)):
            runs = [run for node in ("n1", "n2") for run in suite("mlp", environment__node=node, outcome=outcome)]
            self.write("a.jsonl", *runs)
            (table,) = self.tables("a.jsonl", "--report=machines", *words)
            self.assertEqual([row[8] for row in table["rows"]], [shared] * 2, words)

    def test_the_same_processor_with_other_variables_is_another_machine(self):
        eager, fast = suite("mlp")
        fast["environment"]["variables"] = {"allocator": "glibc"}
        self.write("a.jsonl", eager, fast)
        rows, table, _ = self.summary("a.jsonl")
        self.assertIsNone(rows["torchscript"]["Geomean speedup"])
        self.assertEqual(len({row[0] for row in table["rows"]}), 2)
        more = suite("mlp")[0]
        more["environment"]["variables"] = {"allocator": "jemalloc"}
        self.write("a.jsonl", eager, fast, more)
        (name, *others) = sorted({row[0] for row in self.summary("a.jsonl")[1]["rows"]}, key=len)
        self.assertEqual(sorted(others), [name + " (2)", name + " (3)"])

    def test_two_suites_with_a_case_of_the_same_name(self):
        other = timed("mlp", 7, 6, 8, benchmark_case__model="mlp", benchmark_case__tags=["suite=theirs"])
        self.write("a.jsonl", *suite("mlp"), other)
        (table,) = self.tables("a.jsonl", "--report=latest_grouped")
        self.assertEqual([row[0] for row in table["rows"]], ["assay: mlp", "theirs: mlp", "GEOMEAN"])

    def test_evaluating_and_generating_are_not_the_same_workload(self):
        runs = [
            timed(name, median, median, median, benchmark_case__model="gpt2", benchmark_case__mode=mode)
            for name, median, mode in (
                ("gpt2_b1", 10, "EVAL"),
                ("gpt2_b1_short", 20, "GENERATE"),
                ("gpt2_b1_long", 40, "GENERATE"),
            )
        ]
        self.write("a.jsonl", *runs)
        (table,) = self.tables("a.jsonl", "--report=targets")
        self.assertEqual(
            sorted((row[5], row[6]) for row in table["rows"]),
            [("gpt2_b1", 10e-6), ("gpt2_b1_long", 40e-6), ("gpt2_b1_short", 20e-6)],
        )
        (table,) = self.tables("a.jsonl", "--report=latest_grouped")
        self.assertEqual([row[0] for row in table["rows"]], ["gpt2", "gpt2 (generation)", "GEOMEAN"])

    def test_latest_is_of_the_last_campaign_and_each_of_each_models_own(self):
        first = suite("mlp", "bert", launch__suite_run="monday")
        second = suite("mlp", launch__suite_run="tuesday", started_utc="2026-11-24T00:00:00+00:00")
        self.write("a.jsonl", *first, *second)
        names = lambda *more: [row[0] for row in self.tables("a.jsonl", "--report=latest_grouped", *more)[0]["rows"]]
        self.assertEqual(names(), ["mlp", "GEOMEAN"])
        self.assertEqual(names("--each"), ["bert", "mlp", "GEOMEAN"])
        (table,) = self.tables("a.jsonl", "--report=speedup", "--baseline=tuesday")
        self.assertEqual([row[-1] for row in table["rows"]], [1, 1])
        self.assertIn("without a baseline of the same workload on the same machine: 2 runs", table["notes"])

    def test_a_hostile_name_stays_a_cell(self):
        name = "|<script>alert(1)</script>`\x1b[2J=1+1\u202e" + "x" * 10000
        self.write("a.jsonl", *suite(name))
        text = self.expect(0, "a.jsonl", "--report=latest", "--format=table")
        self.assertLess(max(map(len, text.splitlines())), 1000)
        self.assertNotIn("\x1b", text)
        self.assertIn("\\<script\\>alert(1)", self.expect(0, "a.jsonl", "--report=latest", "--format=markdown"))
        self.assertNotIn("<script", self.expect(0, "a.jsonl", "--report=latest_grouped", "--format=svg"))
        self.assertNotIn("\x1b", self.expect(0, "a.jsonl", "--report=latest_grouped", "--format=ascii"))

    def test_no_form_of_a_secret_in_any_table(self):
        runs = []
        for i, form in enumerate(with_secrets()):
            eager, fast = suite(form)
            fast["environment"] = {**fast["environment"], "variables": {"LD_PRELOAD": form}, "cpu_model": "cpu %d %s" % (i, form)}
            runs += [eager, fast]
        self.write("a.jsonl", *runs)
        for report in ("summary", "latest_grouped", "machines"):
            for form in ("table", "csv", "json", "markdown"):
                said = self.expect(0, "a.jsonl", "--report=" + report, "--format=" + form)
                with self.subTest(report=report, form=form):
                    self.assertEqual([said[max(m.start() - 80, 0) : m.end()] for m in SECRET.finditer(said)], [])

    def test_samples_are_those_of_the_last_two_runs(self):
        runs = [
            timed("mlp", 100, 99, 101, benchmark_case__model="mlp", started_utc="2026-11-2%d" % day + "T00:00:00+00:00")
            for day in (1, 2, 3)
        ]
        for day, run in enumerate(runs):
            run["measurements"][0]["samples_ns"] = [float(1000 * day + i) for i in range(101)]
        runs[2]["outcome"] = "FAIL_ACCURACY"
        self.write("a.jsonl", *runs)
        (table,) = self.tables("a.jsonl", "--report=samples")
        self.assertEqual(
            [row[6:] for row in table["rows"]],
            [
                [101, 1000, 1001, 1010, 1050, 1090, 1099, 1100, "yes"],
                [101, 2000, 2001, 2010, 2050, 2090, 2099, 2100, "no: FAIL_ACCURACY"],
            ],
        )
        self.assertIn("from 0.001 to 0.0021 ms", self.expect(0, "a.jsonl", "--report=samples", "--format=ascii"))
        self.assertIn("<svg", self.expect(0, "a.jsonl", "--report=samples", "--format=svg"))
        self.write("many.jsonl", *suite(*map(str, range(7))))
        self.expect(3, "many.jsonl", "--report=samples", "--format=svg")
        self.assertIn("choose with -k", self.err)

    def test_stability(self):
        def rounds(name, medians):
            return [
                timed(name, m, m, m, benchmark_case__model=name, started_utc="2026-11-23T00:00:%02d+00:00" % i)
                for i, m in enumerate(medians)
            ]

        self.write("a.jsonl", *rounds("calm", [100, 106, 103]), *rounds("wild", [100, 108]), *rounds("single", [100]))
        (table,) = self.tables("a.jsonl", "--report=stability")
        rows = {row[2]: (row[5], row[9]) for row in table["rows"]}
        self.assertEqual(rows, {"calm": (3, "stable"), "wild": (2, "UNSTABLE"), "single": (1, "too few rounds")})
        (table,) = self.tables("a.jsonl", "--report=stability", "--threshold=10")
        self.assertIn("stable", [row[9] for row in table["rows"] if row[2] == "wild"])


class OtherSuitesTest(fixtures.ReportTest):
    _STEM = "inductor_huggingface_bfloat16_inference_cuda_"

    def setUp(self):
        super().setUp()
        self.copy(self._STEM + "accuracy.csv", self._STEM + "performance.csv", "openxla.json", "xla_2024_01.jsonl")

    def test_dynamo_takes_its_verdicts_from_the_other_file(self):
        table, warnings = self.tables(self._STEM + "accuracy.csv", self._STEM + "performance.csv", "--report=summary")
        (row,) = table["rows"]
        row = dict(zip(table["columns"], row))
        # There are six models. Albert passed and has a row of times; Deberta has no verdict, three have no times, and GPTJ is skipped.
        self.assertEqual((row["Pass rate"], row["Models"], row["Geomean speedup"]), ("20 %, 1/5", 1, 1.683297))
        self.assertEqual((row["Mean compile s"], row["Mean compression"], row["Low95"]), (21.118093, 0.996117, None))
        self.assertIn("FAIL_ACCURACY", [w[5] for w in warnings["rows"]])

    def test_the_order_of_the_files_says_nothing(self):
        files = [self._STEM + "accuracy.csv", self._STEM + "performance.csv"]
        want = [sorted(map(str, table["rows"])) for table in self.tables(*files, "--report=summary")]
        self.assertEqual([sorted(map(str, table["rows"])) for table in self.tables(*reversed(files), "--report=summary")], want)

    def test_a_skipped_model_has_not_failed(self):
        """As runner.py writes one that passes because it is skipped."""
        stem = "inductor_torchbench_float32_inference_cuda_"
        self.write(stem + "accuracy.csv", b"dev,name,batch_size,accuracy\ncuda,a,8,pass\ncuda,b,8,pass_due_to_skip\n")
        self.write(stem + "performance.csv", b"dev,name,batch_size,speedup,abs_latency\ncuda,a,8,1.5,4.0\ncuda,b,8,0.0,0.0\n")
        table, warnings = self.tables(stem + "accuracy.csv", stem + "performance.csv", "--report=summary")
        row = dict(zip(table["columns"], table["rows"][0]))
        self.assertEqual((row["Pass rate"], row["Skipped"], row["Geomean speedup"]), ("100 %, 1/1", 1, 1.5))
        # The same if its outcome is the first of all.
        self.write(stem + "accuracy.csv", b"dev,name,batch_size,accuracy\ncuda,b,8,pass_due_to_skip\ncuda,a,8,pass\n")
        table, warnings = self.tables(stem + "accuracy.csv", stem + "performance.csv", "--report=summary")
        row = dict(zip(table["columns"], table["rows"][0]))
        self.assertEqual((row["Pass rate"], row["Skipped"]), ("100 %, 1/1", 1))
        self.assertEqual(warnings["rows"], [])

    def test_mixed_files_lack_what_they_lack(self):
        rows = self.tables(
            self._STEM + "performance.csv", "openxla.json", "xla_2024_01.jsonl", "--report=combined", "--unverified"
        )[0]["rows"]
        self.assertEqual(sorted({row[1] for row in rows}), ["huggingface", "openxla", "torchbench"])
        self.assertIn(None, rows[0])
        shown = self.expect(0, "openxla.json", "--report=summary")
        self.assertIn("  -  ", shown)
        self.assertNotIn("None", shown)

    def test_each_suite_has_a_baseline_of_its_own_and_what_nobody_verified_is_no_failure(self):
        self.write("a.jsonl", *suite("mlp"))
        self.write("xla.jsonl", *fixtures.xla_rows())
        self.write("timed.json", b'{"context": {}, "benchmarks": [{"name": "BM_Copy/64", "real_time": 5.6, "time_unit": "ns"}]}')
        table, warnings, _ = self.tables("a.jsonl", "xla.jsonl", "timed.json", "--report=summary", "--unverified")
        rows = {(row[1], row[4]): row for row in table["rows"]}
        self.assertEqual(rows["assay", "torchscript"][6], 2)
        self.assertTrue(rows["torchbench", "openxla+dynamo"][6])
        self.assertIn("eager (assay)", table["notes"][1])
        self.assertIn("inductor (torchbench)", table["notes"][1])
        self.assertTrue(rows["google_benchmark", "unknown"][5].startswith("not verified, 0/1"))
        self.assertNotIn("NOT_VERIFIED", [row[5] for row in warnings["rows"] if row[1] == "google_benchmark"])

    def test_analyzer_is_the_csv_of_result_analyzer(self):
        self.expect(0, "xla_2024_01.jsonl", "--report=analyzer", "--out=metric_report.csv")
        head, first, *_ = self.read("metric_report.csv").splitlines()
        self.assertTrue(head.startswith("timestamp,suite_name,model_name,"))
        self.assertIn(",BERT_pytorch,", first)


class ComparisonTest(fixtures.ReportTest):
    """Reports of compare's JSON, whose names are those of tools/compare/report/report_data.cc."""

    def setUp(self):
        super().setUp()
        pairs = [{"baseline_ns": 1e6 + i, "candidate_ns": 1.03e6 + i} for i in range(6)]
        estimate = {"ratio": 1.03, "interval": [1.02, 1.04], "q_value": 0.001}
        slower = {"case": "//a:b", "mode": "wall", "verdict": "SLOWER", "reason": "", "pairs": pairs, "estimate": estimate}
        slower.update(baseline_median_ns=1e6, candidate_median_ns=1.03e6)
        refused = {
            "case": "<script>",
            "mode": "wall",
            "verdict": "NOT_COMPARED",
            "reason": "flagged",
            "pairs": [],
            "estimate": None,
        }
        self.found = {
            "schema_version": 1,
            "baseline": "/home/me/old",
            "candidate": "//a:b",
            "same_sides": False,
            "pairs_each_look": 6,
        }
        self.found.update(processes=12, notes=["a note"], cases=[{}, {}], series=[slower, refused])
        self.write("compare.json", self.found)

    def test_table_and_pictures(self):
        (table,) = self.tables("compare.json")
        self.assertEqual(table["rows"][0], ["//a:b/wall", 1e6, 1.03e6, 1.03, 1.02, 1.04, 0.001, "SLOWER", 6, ""])
        self.assertEqual(table["rows"][1], ["<script>/wall", None, None, None, None, None, None, "NOT_COMPARED", 0, "flagged"])
        self.assertIn("without a ratio: 1 of 2", table["notes"])
        self.assertIn("1.03", self.expect(0, "compare.json", "--format=ascii"))
        self.assertIn("<svg", self.expect(0, "compare.json", "--format=svg"))
        self.expect(0, "compare.json", "--format=html", "--out=compare.html")
        page = self.read("compare.html")
        self.assertEqual((page.count("<script>"), page.count("/home/me")), (1, 0))
        data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)[1])
        self.assertEqual(data["facts"], {"cases": 2, "processes": 12})
        self.write("bare.json", {name: value for name, value in self.found.items() if name not in ("cases", "processes")})
        self.expect(0, "bare.json", "--format=html", "--out=compare.html")
        data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', self.read("compare.html"), re.S)[1])
        self.assertEqual(data["facts"], {"cases": 0, "processes": 0})

    def test_of_nothing_and_cut_off(self):
        self.write("none.json", {**self.found, "series": []})
        self.write("cut.json", json.dumps(self.found).encode()[:-40])
        self.write("drawn.json", {**self.found, "series": self.found["series"][1:]})
        for name, said in (("none.json", "compared no case"), ("cut.json", "not whole"), ("drawn.json", "nothing to draw")):
            self.expect(2, name, "--format=svg")
            self.assertIn(said, self.err)


if __name__ == "__main__":
    unittest.main()
