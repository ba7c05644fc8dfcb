"""Numbers at the edges of tables, pictures and the page: what mutants of them survived (//tools:mutate -- --family=python)."""

import csv
import io
import json
import os
import re
import unittest
import warnings
from unittest import mock

import numpy as np

from tools.report import changes, comparison, distributions, estimates, fixtures, language, pictures, speedups, tables
from tools.report import page as page_module
from tools.report.program_test import suite, timed
from tools.results.test_files import gpu_records, record


def at(day, **fields):
    return timed("mlp", 100, 99, 101, started_utc="2026-11-%02dT00:00:00+00:00" % day, **fields)


class PageDetails(fixtures.ReportTest):
    def data(self, *records):
        self.write("a.jsonl", *records)
        self.expect(0, "a.jsonl", "--out=page.html")
        text = re.search(r'<script id="data" type="application/json">(.*?)</script>', self.read("page.html"), re.S)[1]
        return json.loads(text)

    def test_of_each_configuration_as_many_runs_are_kept_as_it_says(self):
        with mock.patch.object(page_module, "_MOST_RUNS", 3):
            made = self.data(*(at(day) for day in range(1, 6)))
        self.assertEqual(len(made["runs"]["case"]), 3)
        self.assertIn("of each configuration the last 3 runs are here; the database has 2 more", made["notes"])

    def test_the_runs_that_are_kept_are_shared_among_configurations(self):
        runs = [timed(name, 100, 99, 101, benchmark_case__model=name, started_utc="2026-11-%02dT00:00:00+00:00" % day) for day in range(1, 6) for name in "ab"]
        with mock.patch.object(page_module, "_MOST_RUNS", 6):
            made = self.data(*runs)
        self.assertEqual(made["runs"]["case"], [0, 0, 0, 1, 1, 1])
        self.assertIn("of each configuration the last 3 runs are here; the database has 4 more", made["notes"])

    def test_two_runs_are_kept_however_many_configurations_there_are(self):
        runs = [timed(name, 100, 99, 101, benchmark_case__model=name, started_utc="2026-11-%02dT00:00:00+00:00" % day) for day in range(1, 4) for name in "ab"]
        with mock.patch.object(page_module, "_MOST_RUNS", 1):
            self.assertEqual(self.data(*runs)["runs"]["case"], [0, 0, 1, 1])

    def test_a_width_is_half_of_the_interval_in_percent(self):
        made = self.data(*suite("mlp"), timed("wide", 200, 190, 230, benchmark_case__model="wide"))
        self.assertEqual(made["cases"]["width"], [1.0, 1.0, 10.0])

    def test_a_campaign_names_its_commit_by_twelve_digits(self):
        campaigns = self.data(at(1, environment__git_commit="0123456789abcdef" + 24 * "0"))["campaigns"]
        self.assertEqual([commit for _, commit, _ in campaigns], ["0123456789ab"])

    def test_points_of_the_roofline(self):
        run = at(1)
        run["measurements"][0].update(flops_per_call=500.0, bytes_per_call=20.0)
        self.assertEqual(self.data(run)["roofline"], [[0, 25.0, 5.0]])
        run["measurements"][0].update(median_ns=0, ci_low_ns=0, ci_high_ns=0)
        self.assertEqual(self.data(run)["roofline"], [])
        runs = gpu_records()
        measured = {float("%.6g" % (peak["per_s"] / 1e9)) for run in runs for peak in run.get("peaks", ())}
        roofs = self.data(*runs)["roofs"]
        self.assertTrue(roofs)
        self.assertGreater(sum(figure is not None for _, *figures in roofs for figure in figures), len(roofs))
        for _, *figures in roofs:
            self.assertLessEqual({figure for figure in figures if figure is not None}, measured)

    def test_samples_that_have_room(self):
        runs = [at(1), at(2)]
        for run in runs:
            run["measurements"][0]["samples_ns"] = [float(v) for v in range(1, 21)]
        for budget, want in ((16, [8, 8]), (14, [14]), (4, [4]), (3, [])):
            with mock.patch.multiple(page_module, _SAMPLE_BYTES=budget, _BYTES_OF_SAMPLE=1, _FEWEST_SAMPLES=4, _MOST_SAMPLES=50):
                made = self.data(*runs)
            self.assertEqual([len(values) for _, _, _, values in made["samples"]], want, budget)
            self.assertEqual([count for _, count, _, _ in made["samples"]], [20] * len(want))
            self.assertEqual([(values[0], values[-1]) for _, _, _, values in made["samples"]], [(1, 20)] * len(want))
            said = "of a run's samples at most %d are here" % want[0] if want else "samples have no room here"
            self.assertIn(said, " ".join(made["notes"]))
        with mock.patch.multiple(page_module, _SAMPLE_BYTES=40, _BYTES_OF_SAMPLE=1, _FEWEST_SAMPLES=4, _MOST_SAMPLES=50):
            made = self.data(*runs)
        self.assertEqual([len(values) for _, _, _, values in made["samples"]], [20, 20])
        self.assertEqual(made["notes"], ["left out of every mean: none"])

    def test_samples_have_five_digits(self):
        for values, scale, want in (
            ([1.0, 99999.0], 1, [1, 99999]),
            ([1.0, 123456.0], 10, [0, 12346]),
            ([65432.0, 9876543.0], 100, [654, 98765]),
            ([0.0, 0.0], 1, [0, 0]),
        ):
            run = at(1)
            run["measurements"][0]["samples_ns"] = values
            ((_, count, got, numbers),) = self.data(run)["samples"]
            self.assertEqual((count, got, numbers), (2, scale, want))

    def test_the_largest_sample_says_the_scale(self):
        for values, want in (([5.0], [1, 1, [5]]), ([0.0, 0.0, 123456.0], [3, 10, [0, 0, 12346]]), ([99999.0] * 2, [2, 1, [99999] * 2])):
            run = at(1)
            run["measurements"][0]["samples_ns"] = values
            self.assertEqual([[count, scale, numbers] for _, count, scale, numbers in self.data(run)["samples"]], [want])

    def test_the_page_has_the_pictures_that_have_something_in_them(self):
        pictures_of = self.data(*suite("mlp"))["pictures"]
        self.assertTrue(pictures_of)
        self.assertTrue(all(picture["series"] for picture in pictures_of))
        self.assertEqual([p["title"] for p in self.data({**at(1, outcome="CRASH"), "measurements": []})["pictures"]], [])

    def test_the_last_run_of_the_last_configuration_is_one_of_its_series(self):
        levels = [100.0 + 0.1 * (7 * i % 5) + 10 * (i >= 7) for i in range(14)]  # one less would be too few
        runs = [timed("mlp", m, 0.99 * m, 1.01 * m, started_utc="2026-11-%02dT00:00:00+00:00" % (i + 1)) for i, m in enumerate(levels)]
        self.assertEqual(self.data(*runs)["runs"]["changes"], [7])
        self.assertEqual(self.data(*runs[:-1])["runs"]["changes"], [])

    def test_a_campaign_has_one_time_of_each_configuration(self):
        runs = []
        for name in "ab":
            for i in range(14):
                day, level = "2026-11-%02d" % (i + 1), 100 + 0.1 * (7 * i % 5) + 10 * (i >= 7)
                for hour, median in ((1, 100 + 40 * (i % 3)), (2, level)):  # the first run of a campaign is of no level at all
                    runs.append(timed(name, median, 0.99 * median, 1.01 * median, started_utc="%sT0%d:00:00+00:00" % (day, hour), launch__suite_run=day, benchmark_case__model=name))
        self.assertEqual(self.data(*runs)["runs"]["changes"], [15, 28 + 15])

    def test_commands_are_of_cases_that_bazel_runs(self):
        made = self.data(at(1, flags=["--budget=1", "--record=/a/b.jsonl", "--filter=a b"]), timed("bert", 1, 1, 1, benchmark_case__label="", benchmark_case__model="bert"))
        self.assertEqual(sorted(made["cases"]["command"]), ["", "tools/bazel run //benchmarks/mlp:mlp_fp32_b1 -- --budget=1 '--filter=a b'"])
        (row,) = [row for row in fixtures.xla_rows()[:1]]
        self.write("x.jsonl", row)
        self.expect(0, "x.jsonl", "--out=page.html")
        text = re.search(r'<script id="data" type="application/json">(.*?)</script>', self.read("page.html"), re.S)[1]
        self.assertEqual(json.loads(text)["cases"]["command"], [""])

    def test_why_the_page_has_no_speedups_is_said_once(self):
        made = self.data({**at(1, outcome="CRASH"), "measurements": []})
        self.assertEqual([note for note in made["notes"] if note.startswith("no baseline: none of the runs of the back end eager may be one (1 CRASH)")], made["notes"][1:2])
        self.assertEqual(sum("no baseline" in note for note in made["notes"]), 1)

    def test_a_long_table_is_cut_and_says_so(self):
        made = tables.Table("t", ["A"], [["a"], ["b"], ["c"]], ["note"])
        for most, notes in ((3, ["note"]), (2, ["note", "1 rows more: //tools:report --report=… has them"])):
            with mock.patch.object(page_module, "_MOST_WARNINGS", most):
                found = page_module._Content.table(made)
            self.assertEqual((len(found["rows"]), found["notes"]), (most, notes))

    def test_speedups_on_the_page_are_of_the_last_campaign(self):
        runs = suite("mlp", "bert", launch__suite_run="monday")
        runs += suite("mlp", launch__suite_run="tuesday", started_utc="2026-11-28T00:00:00+00:00")
        made = self.data(*runs)
        (table,) = [t for t in made["tables"] if t["title"].endswith("over the Oldest eager, last campaign")]
        self.assertEqual([row[0] for row in table["rows"]], ["mlp", "GEOMEAN"])

    def test_texts_are_cut(self):
        longest = page_module._LONGEST
        for length, want in ((longest, longest * "x"), (longest + 1, longest * "x" + "…")):
            self.assertEqual(page_module._cut(length * "x"), want)

    def test_a_picture_of_many_bars_has_the_slowest_and_the_fastest(self):
        def drawn(count, kind="bars"):
            names = ["m%d" % i for i in range(count)]
            # m0 is the fastest by its first series, and the slowest by its second one.
            first = pictures.Series("a", names, [10.0 - i for i in range(count)], labels=["l%d" % i for i in range(count)])
            second = pictures.Series("b", ["m0", "GEOMEAN"], [0.5, 1.0], [0.4, None], [0.6, None])
            return page_module._Content.picture(pictures.Picture("T\nU", "x", "y", kind, [first, second]))

        with mock.patch.object(page_module, "_MOST_BARS", 4):
            whole = drawn(3)
            self.assertEqual((whole["title"], whole["series"][0]["x"]), ("T; U", ["m0", "m1", "m2"]))
            self.assertEqual(drawn(8, "lines")["series"][0]["x"], ["m%d" % i for i in range(8)])
            some = drawn(8)
        self.assertEqual(some["title"], "T; U; of 9 models the 4 slowest and fastest")
        with mock.patch.object(page_module, "_MOST_BARS", 6):
            more = drawn(10)
        self.assertEqual(more["title"], "T; U; of 11 models the 6 slowest and fastest")
        self.assertEqual(more["series"][0]["x"], ["m0", "m1", "m2", "m3", "m9"])  # and GEOMEAN
        # By their least bar: m0 0.5, GEOMEAN 1, m7 3 … m2 8, m1 9.
        self.assertEqual(some["series"][0], {"name": "a", "x": ["m0", "m1", "m2"], "y": [10.0, 9.0, 8.0], "low": [], "high": [], "labels": ["l0", "l1", "l2"]})
        self.assertEqual(some["series"][1], {"name": "b", "x": ["m0", "GEOMEAN"], "y": [0.5, 1.0], "low": [0.4, None], "high": [0.6, None], "labels": []})

    def test_the_pages_stability_is_of_15_rounds_and_7_percent(self):
        days = [at(day) for day in range(1, 17)]
        days[0]["measurements"][0]["median_ns"] = 200  # before the last 15
        days[9]["measurements"][0]["median_ns"] = 107.3
        (table,) = [t for t in self.data(*days)["tables"] if t["title"] == "Stability"]
        self.assertEqual([(row[5], row[7], row[9]) for row in table["rows"]], [(15, 107.3, "UNSTABLE")])

    def test_why_a_run_failed(self):
        passed = self.data(at(1))
        self.assertEqual(passed["runs"]["message"], {})
        failed = self.data(at(1), at(2, outcome="CRASH", error="out of luck"))
        self.assertEqual(list(failed["runs"]["message"].values()), ["out of luck"])
        differs = self.data(at(1), at(3, outcome="FAIL_ACCURACY", verdict={"outcome": "FAIL_ACCURACY", "message": "worst [3]"}))
        self.assertEqual(list(differs["runs"]["message"].values()), ["worst [3]"])


class SampleDetails(fixtures.ReportTest):
    def drawn(self, count):
        """How many points stand in the picture of a run with so many samples."""
        record = at(1)
        record["measurements"][0]["samples_ns"] = [float(1000 + i) for i in range(count)]
        self.write("a.jsonl", record)
        lengths = []
        real = distributions.pictures.Series

        def keep(name, x, y):
            lengths.append((len(x), len(y), min(y), max(y)))
            return real(name, x, y)

        with mock.patch.object(distributions, "_MOST_POINTS", 10), mock.patch.object(distributions.pictures, "Series", keep):
            self.tables("a.jsonl", "--report=samples")
        return lengths

    def test_a_picture_has_every_sample_or_as_many_as_it_may_with_both_ends(self):
        self.assertEqual(self.drawn(4), [(4, 4, 1000e-6, 1003e-6)])
        self.assertEqual(self.drawn(40), [(10, 10, 1000e-6, 1039e-6)])


    def test_the_first_three_samples_of_pytorch_xla_are_left_out_where_there_are_more(self):
        rows = [row for row in fixtures.xla_rows() if row["verification_code"] == "PASS" and "total_time" in row["metrics"]]
        for row, count in zip(rows, (3, 4, 7)):
            row["metrics"] = {name: [float(v) for v in range(9, 9 - count, -1)] for name in ("total_time", "per_iter_time")}
        self.write("a.jsonl", *rows[:3])
        (table,) = self.tables("a.jsonl", "--report=samples")
        figures = sorted((row[6], row[7] / 1e9, row[13] / 1e9) for row in table["rows"])
        self.assertEqual(figures, [(1, 6, 6), (3, 7, 9), (4, 3, 6)])

    def test_tails_need_100_samples(self):
        for count, tails in ((99, (None, None)), (100, (1000.99, 1098.01))):
            run = at(1)
            run["measurements"][0]["samples_ns"] = [float(1000 + i) for i in range(count)]
            self.write("a.jsonl", run)
            (table,) = self.tables("a.jsonl", "--report=samples")
            self.assertEqual([(row[8], row[12]) for row in table["rows"]], [tails])

    def test_twelve_runs_fit_into_a_picture(self):
        runs = suite(*map(str, range(6)))
        self.write("a.jsonl", *runs)
        self.expect(0, "a.jsonl", "--report=samples", "--format=ascii")
        self.write("a.jsonl", *runs, *suite("6")[:1])
        self.expect(3, "a.jsonl", "--report=samples", "--format=ascii")
        self.assertIn("13 runs do not fit into a picture of at most 12", self.err)


class Points(fixtures.ReportTest):
    def summary(self, *words):
        table, *_ = self.tables("a.jsonl", "--report=summary", *words)
        return table

    def test_a_deviation_is_that_of_a_normal_interval(self):
        self.write("a.jsonl", *suite("mlp"))
        (table,) = self.tables("a.jsonl", "--report=latest_grouped")
        relative = 0.02 / (2 * 1.959964) * 2**0.5  # of two medians, each known to 1 %
        self.assertEqual(table["columns"][:5], ["# ModelName", "Speedup(eager/Oldest eager)", "StdDev", "Speedup(torchscript/Oldest eager)", "StdDev"])
        np.testing.assert_allclose(table["rows"][0][1:5], [1, relative, 2, 2 * relative], rtol=0, atol=1e-8)

    def test_compiling_is_known_exactly(self):
        eager, fast = suite("mlp")
        eager["measurements"][0]["first_call_ns"], fast["measurements"][0]["first_call_ns"] = 300, 150
        self.write("a.jsonl", eager, fast)
        (table,) = self.tables("a.jsonl", "--report=latest_grouped", "--metric=compile")
        self.assertEqual(table["rows"][0][1:5], [1, 0, 2, 0])
        eager["measurements"][0]["first_call_ns"], fast["measurements"][0]["first_call_ns"] = 100.5, 50.25
        self.write("a.jsonl", eager, fast)
        (table,) = self.tables("a.jsonl", "--report=latest_grouped", "--metric=compile")
        self.assertEqual(table["rows"][0][1:5], [1, 0, 2, 0])
        self.assertEqual([row[-3] for row in self.summary()["rows"]], [5e-10, 2.5e-10])
        nothing = timed("bert", 100, 99, 101, benchmark_case__model="bert")
        nothing["measurements"][0]["first_call_ns"] = 100
        self.write("a.jsonl", eager, fast, nothing)
        (table,) = self.tables("a.jsonl", "--report=latest_grouped", "--metric=compile")
        self.assertEqual(table["left_out"], {"no time": 1})

    def test_a_table_names_a_commit_by_eight_digits(self):
        self.write("a.jsonl", *suite("mlp", environment__git_commit="0123456789abcdef" + 24 * "0"))
        for report in ("samples", "stability"):
            table, *_ = self.tables("a.jsonl", "--report=" + report)
            self.assertEqual({row[table["columns"].index("Commit")] for row in table["rows"]}, {"01234567"}, report)

    def test_a_case_without_a_model_is_its_own(self):
        self.write("a.jsonl", timed("copy", 100, 99, 101, benchmark_case__model=""))
        (table,) = self.tables("a.jsonl", "--report=targets")
        self.assertEqual([(row[1], row[5]) for row in table["rows"]], [("copy", "copy")])

    def test_a_campaign_without_a_back_end_has_no_figure_of_it(self):
        eager, fast = suite("mlp", launch__suite_run="one")
        later = suite("mlp", launch__suite_run="two", started_utc="2026-11-28T00:00:00+00:00")[:1]
        self.write("a.jsonl", eager, fast, *later)
        (table,) = self.tables("a.jsonl", "--report=speedup")
        self.assertEqual([(row[1], row[3], row[4] is None) for row in table["rows"]], [(1, 2, False), (1, None, True)])

    def test_a_record_that_does_not_say_where(self):
        nowhere = {"environment__cpu_model": "", "environment__gpu_name": ""}
        self.write("a.jsonl", *suite("mlp", **nowhere))
        self.write("b.jsonl", *suite("bert", **nowhere))
        places = lambda *words: sorted({row[0] for row in self.tables("a.jsonl", "b.jsonl", "--report=combined", *words)[0]["rows"]})
        self.assertEqual(places(), ["machine of a.jsonl", "machine of b.jsonl"])
        self.assertEqual(places("--machine=OF B"), ["machine of b.jsonl"])
        self.assertEqual(places("--across"), ["all machines"])

    def test_folders_of_torchdynamo_are_machines(self):
        name = "inductor_huggingface_bfloat16_inference_cuda_performance.csv"
        text = b"dev,name,batch_size,speedup,abs_latency\ncuda,a,8,1.5,%d\n"
        for number, folder in enumerate(("one", "two"), 1):
            os.mkdir(self.path(folder))
            self.write("%s/%s" % (folder, name), text % number)
        files = ["%s/%s" % (folder, name) for folder in ("one", "two")]
        (table,) = self.tables(*files, "--report=combined")
        self.assertEqual([row[0] for row in table["rows"]], ["machine of *_cuda_*.csv", "machine of *_cuda_*.csv (2)"])

    def test_a_figure_of_torchdynamo_that_is_0_is_none(self):
        head = b"dev,name,batch_size,speedup,abs_latency,compilation_latency,compression_ratio\n"
        for figures, want in ((b"1.5,4.0,0.0,0.0", (1.5, None, None)), (b"1.5,4.0,2.0,0.5", (1.5, 2.0, 0.5))):
            self.write("inductor_a_float32_inference_cuda_performance.csv", head + b"cuda,m,8," + figures + b"\n")
            table, *_ = self.tables("inductor_a_float32_inference_cuda_performance.csv", "--report=summary", "--unverified")
            row = dict(zip(table["columns"], table["rows"][0]))
            self.assertEqual(tuple(row[name] for name in ("Geomean speedup", "Mean compile s", "Mean compression")), want)

    def test_campaigns_are_suites_runs_and_else_days_and_commits(self):
        runs = [at(1), at(1, duration_s=9), at(2), at(2, environment__git_commit="c" * 40)]
        runs += [at(2 + i % 7, launch__suite_run="s%d" % (i % 7)) for i in range(14)]
        self.write("a.jsonl", *runs)
        (table,) = self.tables("a.jsonl", "--report=histogram")
        self.assertEqual(len(table["rows"]), 3 + 7)

    def test_compression_is_a_ratio_of_two_peaks(self):
        for peaks, want in (((300, 150), 2.0), ((300, 0), None), ((0, 150), None), ((2, 1), 2.0), ((1, 2), 0.5)):
            runs = suite("mlp")
            for run, peak in zip(runs, peaks):
                run["measurements"][0]["peak_host_bytes"] = str(peak)
            self.write("a.jsonl", *runs)
            table = self.summary()
            at_compression = table["columns"].index("Mean compression")
            self.assertEqual([row[at_compression] for row in table["rows"]], [None, want])

    def test_a_baseline_by_commit_and_by_campaign(self):
        monday = suite("mlp", launch__suite_run="monday", environment__git_commit="abcdef12" * 5)
        tuesday = suite("mlp", launch__suite_run="tuesday", started_utc="2026-11-28T00:00:00+00:00")[1:]
        self.write("a.jsonl", *monday, *tuesday)
        self.expect(0, "a.jsonl", "--report=latest", "--baseline=abcdef1")
        self.expect(2, "a.jsonl", "--report=latest", "--baseline=abcdef")
        self.assertIn("--baseline=abcdef: no campaign has this commit, torch version or name; the last ones: monday (commit abcdef12, torch 2.11.0); tuesday (commit ", self.err)
        self.write("c.jsonl", *(at(day, launch__suite_run="s%d" % day) for day in range(1, 8)))
        self.expect(2, "c.jsonl", "--report=latest", "--baseline=abcdef1")
        self.assertEqual(re.findall(r"s\d", self.err), ["s3", "s4", "s5", "s6", "s7"])
        self.write("b.jsonl", *suite("mlp", launch__suite_run="bare", environment__git_commit="", environment__torch_version=""))
        self.expect(2, "b.jsonl", "--report=latest", "--baseline=abcdef1")
        self.assertIn("the last ones: bare (commit -, torch -)\n", self.err)
        self.expect(2, "a.jsonl", "--report=latest", "--baseline=tuesday")
        self.assertIn("no baseline: none of the runs of the back end eager may be one (1 of other campaigns)", self.err)
        self.assertNotIn("no campaign", self.err)

    def test_training_is_told_where_there_is_something_else(self):
        names = lambda: [row[0] for row in self.tables("a.jsonl", "--report=latest_grouped")[0]["rows"]]
        training = suite("mlp", benchmark_case__mode="TRAIN")
        self.write("a.jsonl", *training)
        self.assertEqual(names(), ["mlp", "GEOMEAN"])
        self.write("a.jsonl", *training, *suite("mlp"))
        self.assertEqual(names(), ["mlp", "mlp (training)", "GEOMEAN"])

    def test_all_machines_of_each_device(self):
        eager = [timed(name, 100, 99, 101, benchmark_case__model=name, device=name, environment__gpu_name=gpu) for name, gpu in (("CPU", ""), ("CUDA", "H200"))]
        self.write("a.jsonl", *eager)
        self.assertEqual([row[0] for row in self.summary("--across")["rows"]], ["all machines, cpu", "all machines, cuda"])
        self.write("a.jsonl", *eager[:1])
        self.assertEqual([row[0] for row in self.summary("--across")["rows"]], ["all machines"])

    def test_one_mode_for_each_workload(self):
        """A row for each pair of modes: of the eager run, of the other one, and what is left out."""
        for modes, left_out in (
            (("wall", "wall"), {}),
            (("cold", "cold"), {}),
            (("wall", "cold"), {"mode cold, not that of others": 1}),
            (("hot", "cold"), {"mode hot, not that of others": 1}),
            (("throughput", "hot"), {"mode throughput, not that of others": 1}),
            (("queue", "throughput"), {"mode queue, not that of others": 1}),
            (("queue", "queue"), {}),
        ):
            runs = suite("mlp")
            for run, mode in zip(runs, modes):
                run["measurements"][0]["mode"] = mode
            for others in ([], suite("bert")):
                self.write("a.jsonl", *runs, *others)
                self.assertEqual(self.summary()["left_out"], left_out, modes)

    def test_runs_of_a_preset_may_be_of_two_modes(self):
        runs = suite("mlp")
        for run, mode in zip(runs, ("wall", "hot")):
            run["measurements"][0].update(mode=mode, preset="quick")
        self.write("a.jsonl", *runs)
        for words, left_out in (([], {"mode hot, not that of others": 1}), (["--mode=quick"], {})):
            self.assertEqual(self.summary(*words)["left_out"], left_out, words)

    def test_the_first_run_of_a_file_is_flagged(self):
        runs = suite("mlp")
        runs[0]["measurements"][0]["checks"] = [{"name": "steady", "status": "CHECK_FLAGGED"}]
        self.write("a.jsonl", *runs)
        self.assertEqual(self.summary()["left_out"], {"FLAGGED steady": 1})

    def test_too_few_samples_of_pytorch_xla_are_no_time(self):
        rows = [row for row in fixtures.xla_rows() if row["verification_code"] == "PASS" and "total_time" in row["metrics"]][:4]
        for row, count in zip(rows, (1, 3, 4, 5)):
            row["metrics"] = {name: [9.0, 5.0, 4.0, 3.0, 2.0][:count] for name in ("total_time", "per_iter_time")}
        self.write("a.jsonl", *rows)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of a mean of nothing
            for metric, count in (("exec", 2), ("compile", 1)):
                (table,) = self.tables("a.jsonl", "--report=latest_grouped", "--metric=" + metric)
                self.assertEqual(table["left_out"], {"no time": count}, metric)

    def test_a_run_of_pytorch_xla_has_the_time_of_its_first_mode(self):
        run = timed("theirs", 7, 6, 8, benchmark_case__model="theirs", imported={"format": "xla_jsonl"})
        wall = {**run["measurements"][0], "samples_ns": [9e6, 5e6, 4e6, 2e6, 4e6]}
        run["measurements"] = [wall, {**wall, "mode": "hot", "samples_ns": [1e6] * 5}]
        self.write("theirs.jsonl", *fixtures.xla_rows()[:1])
        self.write("a.jsonl", run, *suite("mlp"))
        (table,) = self.tables("theirs.jsonl", "a.jsonl", "--report=targets")
        found = {row[5]: [cell for cell in row[6:] if cell][0] for row in table["rows"]}
        self.assertEqual((found["theirs"], found["mlp"]), (3, 1e-4))

    def test_a_run_that_measured_nothing(self):
        self.write("a.jsonl", record(measurements=[]))
        self.assertEqual(self.summary()["left_out"], {"no time": 1})
        flagged = suite("bert")
        flagged[1]["measurements"][0]["checks"] = [{"name": "steady", "status": "CHECK_FLAGGED"}]
        self.write("a.jsonl", record(measurements=[]), *flagged)
        self.assertEqual(self.summary()["left_out"], {"no time": 1, "FLAGGED steady": 1})

    def test_the_baseline_is_named_where_another_is_held_against_it(self):
        self.write("a.jsonl", *suite("mlp"))
        self.assertIn("speedups are over eager", self.summary()["notes"])
        self.write("a.jsonl", *suite("mlp")[:1])
        self.assertEqual([note for note in self.summary()["notes"] if "speedups are" in note], [])

    def test_machines_that_differ_in_what_may_change_on_one(self):
        for fields, count in (
            (("environment__governor", "powersave", "performance"), 2),
            (("environment__kernel", "6.1", "6.2"), 2),
            (("environment__node", "n1", "n2"), 3),
            (("environment__cpu_model", "one", "another"), 3),
        ):
            name, *values = fields
            self.write("a.jsonl", *(run for model, value in zip(("mlp", "bert"), values) for run in suite(model, **{name: value})))
            self.assertEqual(len(self.tables("a.jsonl", "--report=summary")), count, name)

    def test_stability_is_of_the_newest_commit(self):
        rounds = [
            timed("mlp", m, m, m, started_utc="2026-11-%02dT00:00:00+00:00" % day, environment__git_commit=c * 40)
            for day, c, m in ((3, "a", 100), (1, "b", 100), (2, "b", 300), (4, "a", 107.3), (5, "a", 101))
        ]
        for order in (rounds, rounds[::-1]):
            self.write("a.jsonl", *order)
            (table,) = self.tables("a.jsonl", "--report=stability")
            (row,) = table["rows"]
            self.assertEqual((row[4:8], round(row[8], 6), row[9]), (["aaaaaaaa", 3, 100, 107.3], 0.073, "UNSTABLE"))
            self.assertEqual(table["notes"][0], "1 UNSTABLE; stable is below 7 % of at most 15 rounds")

    def test_tokens_are_those_of_the_last_campaign(self):
        made = []
        for day, units in ((1, 10), (2, 20)):
            run = at(day, benchmark_case__mode="GENERATE", launch__suite_run="day %d" % day)
            run["measurements"][0].update(step="decode", unit="token", units_per_call=float(units))
            made.append(run)
        self.write("a.jsonl", *made)
        (table,) = self.tables("a.jsonl", "--report=tokens")
        at_rate = table["columns"].index("t/s")
        self.assertEqual([row[at_rate] for row in table["rows"]], [round(20 / 100e-9)])


class Figures(unittest.TestCase):
    def test_sizes_and_rates(self):
        for value, step, want in (
            (0, 1000.0, None),
            (999, 1000.0, "999"),
            (1000, 1000.0, "1 K"),
            (1023, 1024.0, "1023"),
            (1024, 1024.0, "1 K"),
            (1234567, 1000.0, "1.235 M"),
            (5e12, 1000.0, "5000 B"),
        ):
            self.assertEqual(language._scaled(value, step, ("", " K", " M", " B")), want)
        for value, want in ((None, None), (999.5, 999.5), (1000.0, 1000), (1000.6, 1001)):
            self.assertEqual(repr(language._rate(value)), repr(want))

    def test_quantiles_of_student(self):
        self.assertEqual([estimates.student95(d) for d in (1, 30)], [12.706, 2.042])  # the table's first and last
        # SciPy 1.16: scipy.stats.t.ppf(0.975, 1000). The expansion's next term is 2.5e-9, and the normal one is rounded by 1.5e-8.
        self.assertAlmostEqual(estimates.student95(1000), 1.9623390808264078, delta=2e-8)

    def test_the_baseline_is_eager_else_inductor_and_the_others_follow_in_order(self):
        names = ["inductor", "exported", "eager"]
        for measured, order in (([0, 1, 2], ["eager", "exported", "inductor"]), ([0, 1], ["inductor", "eager", "exported"]), ([1], ["eager", "exported", "inductor"])):
            points = mock.Mock(backends=names, backend=np.array(measured), usable=np.ones(len(measured), bool))
            self.assertEqual([names[b] for b in speedups.chosen_backends(points, ())], order)

    def test_a_geometric_mean_by_group(self):
        parts = estimates.Estimates(*(np.array(v) for v in ([2.0, 3.0, 12.0], [1.5, 2.0, 9.0], [3.0, 3.6, 16.0], [0.1, 0.3, 0.4])))
        means = estimates.geometric_means(parts, np.array([0, 2, 2]), 3)
        np.testing.assert_allclose(means.one(0), (2, 1.5, 3, 0.1))
        self.assertEqual(means.one(1), (None,) * 4)
        down, up = (np.hypot(*np.log(pair)) / 2 for pair in ((3 / 2, 12 / 9), (3.6 / 3, 16 / 12)))
        np.testing.assert_allclose(means.one(2), (6, 6 * np.exp(-down), 6 * np.exp(up), 6 / 2 * np.hypot(0.1, 1 / 30)))

    def test_a_decision_at_its_limits(self):
        inconclusive = "the interval lies on both sides of %+g %%"
        for ratio, want in (
            ((1.25, None, None), ("INCONCLUSIVE", "no interval")),
            ((0.8, None, None), ("INCONCLUSIVE", "no interval")),
            ((1.26, None, None), ("INCONCLUSIVE", "no interval, the ratio is beyond 25 %")),
            ((0.79, None, None), ("INCONCLUSIVE", "no interval, the ratio is beyond 25 %")),
            ((1.3, 1.25, 1.4), ("INCONCLUSIVE", inconclusive % 25)),
            ((1.3, 1.2501, 1.4), ("SLOWER", "")),
            ((0.7, 0.6, 0.8), ("INCONCLUSIVE", inconclusive % -25)),
            ((0.7, 0.6, 0.7999), ("FASTER", "")),
            ((1.0, 0.8, 1.25), ("SAME", "")),
            ((1.0, 0.8, 1.26), ("INCONCLUSIVE", inconclusive % 25)),
            ((0.99, 0.79, 1.25), ("INCONCLUSIVE", inconclusive % -25)),
        ):
            self.assertEqual(changes._of_ratio(*ratio, 0.25), want, ratio)


class Tables(unittest.TestCase):
    def written(self, form):
        numbers = tables.Table("First_1", ["Name", ">Value"], [["a|b", 1.23456], ["n" * 80, None], ["n" * 81, 7], [None, float("inf")]], ["a note"])
        out, err = io.StringIO(), io.StringIO()
        tables.write([numbers, tables.Table("Second", ["A"], [["b"]]), tables.Table("Third", ["A"], [])], form, out, err)
        return out.getvalue(), err.getvalue()

    def test_for_people(self):
        text = "\n".join(
            ["First_1", "Name" + 78 * " " + "Value"]
            + ["a|b" + 79 * " " + "1.235", 80 * "n" + "      -", 79 * "n" + "…      7", "-" + 85 * " " + "-", "note  a note"]
            + ["", "Second", "A", "b", "", "Third", "A", ""]
        )
        self.assertEqual(self.written("table"), (text, ""))

    def test_as_markdown(self):
        rows = ["| a\\|b | 1.235 |", "| %s | - |" % (80 * "n"), "| %s… | 7 |" % (79 * "n"), "| - | - |"]
        text = "\n".join(
            ["### First\\_1", "", "| Name | Value |", "|---|---:|", *rows, "", "a note", ""]
            + ["### Second", "", "| A |", "|---|", "| b |", "", "### Third", "", "| A |", "|---|", ""]
        )
        self.assertEqual(self.written("markdown"), (text, ""))

    def test_as_csv(self):
        out, err = self.written("csv")
        self.assertEqual(out, "Name,Value\na|b,1.23456\n%s,\n%s,7\n,\n" % (80 * "n", 81 * "n"))
        self.assertEqual(err, "note  a note\nnote  CSV holds one table; --format=json has Second (1 rows), too\n")

    def test_what_was_left_out(self):
        for left_out, unverified, want in (
            ({}, False, "left out of every mean: none"),
            ({"CRASH": 2, "BROKEN": 1}, False, "left out of every mean: 3 of the runs (1 BROKEN, 2 CRASH)"),
            ({"NOT_VERIFIED": 1}, False, "left out of every mean: 1 of the runs (1 NOT_VERIFIED); --unverified lets those in that nobody verified"),
            ({"NOT_VERIFIED": 1}, True, "left out of every mean: 1 of the runs (1 NOT_VERIFIED)"),
        ):
            self.assertEqual(tables.about_left_out(left_out, unverified), want)


class Words(fixtures.ReportTest):
    def test_two_rounds_are_enough(self):
        self.write("a.jsonl", at(1), at(2))
        (table,) = self.tables("a.jsonl", "--report=stability", "--rounds=2")
        self.assertEqual(len(table["rows"]), 1)
        self.expect(3, "a.jsonl", "--report=stability", "--rounds=1")

    def test_words_at_their_limits(self):
        self.write("a.jsonl", at(1), at(2))
        for word, code in (
            ("--threshold=0", 3),
            ("--threshold=0.1", 0),
            ("--threshold=999", 0),
            ("--threshold=1000", 3),
            ("--fig-width=0", 3),
            ("--dtyp=fp32", 3),  # no abbreviation
        ):
            self.expect(code, "a.jsonl", "--report=stability", word)

    def test_of_problems_20_are_printed(self):
        for count, rest in ((20, False), (21, True)):
            self.write("a.jsonl", at(1), *[b"{\n"] * count)
            self.expect(1, "a.jsonl", "--report=summary")
            self.assertEqual((self.err.count("a.jsonl:"), self.err.endswith("\nand 1 more\n")), (20, rest))
            self.assertNotIn("and 0 more", self.err)

    def test_what_an_export_says_is_passed_on(self):
        """The same holds if it exports the analyzer's CSV, or a database that is read together with others."""
        run = at(1, error="HF_TOKEN=hf_abcdef", benchmark_case__model="/home/me/mlp")
        run["measurements"][0].update(samples_ns=[1e9, 2e9, 4e9], calls_per_sample="1")
        for folder in "ab":
            os.mkdir(self.path(folder))
            self.write(folder + "/results.jsonl", {**run, "duration_s": float(ord(folder))})
            self.expect(0, folder, "--report=summary")
        self.expect(0, "a", "--report=analyzer", "--out=a.csv")
        (row,) = csv.DictReader(io.StringIO(self.read("a.csv")))
        self.assertEqual((row["model_name"], float(row["max_total_time"])), ("/home/me/mlp", 4.0))
        self.assertIn("report: secrets taken out of 1 records: ", self.err)
        (table,) = self.tables("a/results.sqlite", "b/results.sqlite", "--report=samples")
        self.assertEqual([row[6:8] for row in table["rows"]], [[3, 1e9]] * 2)
        (table,) = self.tables("a/results.sqlite", "b/results.sqlite", "--report=targets")
        self.assertEqual([row[1] for row in table["rows"]], ["/home/me/mlp"])
        self.assertIn("report: b/results.sqlite: secrets taken out of 1 records: ", self.err)
        self.assertNotIn("records written", self.err)


class Pictures(fixtures.ReportTest):
    """The picture of each report."""

    def drawn(self, *words):
        found = []
        with mock.patch.object(pictures, "ascii", lambda picture, columns: found.append((picture, columns)) or "drawn"):
            self.expect(0, *words, "--format=ascii")
        ((picture, columns),) = found
        self.assertEqual(columns, 100)
        return picture

    def test_of_each_report(self):
        day = "2026-11-%dT00:00:00+00:00"
        runs = suite("mlp", launch__suite_run="one", started_utc=day % 23) + suite("mlp", launch__suite_run="two", started_utc=day % 24)
        self.write("a.jsonl", *runs)
        moments = ["2026-11-23 00:00:00", "2026-11-24 00:00:00"]
        over = "Speedup over the Oldest eager, "
        for report, title, x_title, y_title, kind, reference, series in (
            ("latest", over + "models of the last campaign by rank", "model's rank", "speedup", "points", 1.0,
             {"eager": ([0], [1.0]), "torchscript": ([0], [2.0])}),
            ("latest_grouped", over + "last campaign", "model", "speedup", "bars", 1.0,
             {"eager": (["mlp", "GEOMEAN"], [1.0, 1.0]), "torchscript": (["mlp", "GEOMEAN"], [2.0, 2.0])}),
            ("histogram", "Percentiles of the models' speedups over the Oldest eager", "campaign", "speedup", "lines", 1.0,
             {"%s p%d" % (name, p): (moments, [v, v]) for name, v in (("eager", 1.0), ("torchscript", 2.0)) for p in (95, 50, 5)}),
            ("speedup", "Geometric mean of the speedups over the Oldest eager, over models that all back ends of a campaign have", "campaign", "speedup",
             "lines", 1.0, {"eager": (moments, [1.0, 1.0]), "torchscript": (moments, [2.0, 2.0])}),
            ("summary", "Geometric mean of speedups", "suite, data type and mode", "speedup", "bars", 1.0,
             {"torchscript": (["assay fp32 inference"], [2.0])}),
            ("stability", "Stability", "case", "(max - min) / min", "bars", 0.07,
             {"(max - min) / min": (["mlp eager", "mlp_torchscript torchscript"], [0.0, 0.0])}),
            ("samples", "Samples of the last runs", "run", "ms", "samples", None, None),
        ):
            with self.subTest(report):
                picture = self.drawn("a.jsonl", "--report=" + report)
                self.assertEqual((picture.title, picture.x_title, picture.y_title, picture.kind), (title, x_title, y_title, kind))
                self.assertEqual((picture.reference, picture.width, picture.height), (reference, 9.0, 6.75))
                if series:
                    got = {one.name: (one.x, [round(y, 12) for y in one.y]) for one in picture.series}
                    self.assertEqual(got, series)
        compiling = suite("mlp")
        for run, first in zip(compiling, (300, 150)):
            run["measurements"][0]["first_call_ns"] = first
        self.write("c.jsonl", *compiling)
        picture = self.drawn("c.jsonl", "--report=latest", "--metric=compile", "--title=of today", "--fig-width=5", "--fig-height=4")
        self.assertEqual(picture.title, "Speedup of compiling over the Oldest eager, models of the last campaign by rank | of today")
        self.assertEqual((picture.width, picture.height), (5.0, 4.0))

    def test_samples_are_named_by_case_back_end_and_campaign(self):
        run = at(1)
        run["measurements"][0]["samples_ns"] = [1.0, 2.0]
        self.write("a.jsonl", run)
        self.assertEqual([one.name for one in self.drawn("a.jsonl", "--report=samples").series], ["mlp eager 2026-11-01 00:00:00"])

    def test_stability_names_machines_where_there_are_several(self):
        there = {"environment__cpu_model": "Another CPU"}
        runs = [timed("mlp", 100 + day, 99, 101, started_utc="2026-11-%02dT00:00:00+00:00" % day) for day in (1, 2)]
        self.write("a.jsonl", *runs)
        self.assertEqual(self.drawn("a.jsonl", "--report=stability").series[0].x, ["mlp eager"])
        self.write("a.jsonl", *runs, *(timed("mlp", 100 + day, 99, 101, started_utc="2026-11-%02dT00:00:00+00:00" % day, **there) for day in (1, 2)))
        names = self.drawn("a.jsonl", "--report=stability").series[0].x
        self.assertEqual(sorted(name[:19] for name in names), ["mlp eager on Anothe", "mlp eager on Intel("])
        self.write("a.jsonl", *runs, timed("bert", 100, 99, 101, benchmark_case__model="bert"))  # which has run too seldom
        self.assertEqual(self.drawn("a.jsonl", "--report=stability").series[0].x, ["mlp eager"])

    def test_of_changes(self):
        self.write("old.jsonl", timed("mlp", 100, 99, 101))
        self.write("new.jsonl", timed("mlp", 200, 198, 202, started_utc="2026-11-28T10:00:00+00:00"))
        picture = self.drawn("old.jsonl", "new.jsonl", "--report=changes")
        self.assertEqual((picture.title, picture.kind, picture.reference), ("Time of new.jsonl over that of old.jsonl", "intervals", 1.0))
        (series,) = picture.series
        self.assertEqual((series.name, series.x, series.y), ("ratio", ["mlp"], [2.0]))
        (table,) = self.tables("old.jsonl", "new.jsonl", "--report=changes")
        self.assertEqual(table["rows"][0][1:4], [100e-6, 200e-6, 2])
        self.assertEqual(
            table["notes"][1], "a ratio above 1: new.jsonl is slower; SLOWER and FASTER: the whole interval is beyond 7 % (--threshold)"
        )


class Comparisons(fixtures.ReportTest):
    def test_which_files_are_comparisons(self):
        keys = b'"same_sides": false, "pairs_each_look": 6'
        rest = b', "series": [{"case": "a", "mode": "wall", "verdict": "SAME", "pairs": []}]}'
        for text, is_one in (
            (b"{" + keys + rest, True),
            (b" \n{" + keys + rest, True),
            (b"{" + b" " * (4095 - len(keys)) + keys.replace(b": 6", b": 6") + rest, True),
            (b"{" + b" " * (4096 - len(keys) + len(b": 6")) + keys + rest, False),
            (b'{"same_sides": false' + rest, False),
            (b'{"pairs_each_look": 6' + rest, False),
            (b"[" + keys + b"]", False),
        ):
            self.write("a.json", text)
            self.assertEqual(comparison.read(self.path("a.json"), "a.json") is not None, is_one, text[:60])

    def test_pictures_of_ratios_and_of_pairs(self):
        def one(name, pairs, estimate=None):
            return {"case": name, "mode": "wall", "verdict": "SAME", "pairs": pairs, "estimate": estimate}

        pairs = [{"baseline_ns": 1e6, "candidate_ns": 2e6}, {"baseline_ns": 3e6}, {"candidate_ns": 4.5e6}]
        estimate = {"ratio": 1.5, "interval": [1.4, 1.6]}
        for known, height in ((0, 2.4), (1, 2.4), (2, 2.8), (1000, 200)):
            series = [one("c%d" % i, pairs if i == 0 else [], estimate) for i in range(known)] + [one("unknown", [])]
            (name, ratios), *of_pairs = comparison.pictures_of({"baseline": "a", "candidate": "b", "series": series})
            self.assertEqual((name, ratios.kind, ratios.reference), ("Ratios", "intervals", 1.0))
            self.assertAlmostEqual(ratios.height, height)
            self.assertEqual([s.x for s in ratios.series], [["c%d/wall" % i for i in range(known)]] if known else [])
            if known:
                self.assertEqual((ratios.series[0].low[0], ratios.series[0].y[0], ratios.series[0].high[0]), (1.4, 1.5, 1.6))
                self.assertEqual(ratios.series[0].labels[0], "1.5000  SAME")
            self.assertEqual([name for name, _ in of_pairs], ["c0/wall"] * (known > 0))
            for _, picture in of_pairs:
                self.assertEqual((picture.title, picture.x_title, picture.y_title, picture.kind), ("Medians of the processes of c0/wall", "pair", "ms", "lines"))
                self.assertEqual({s.name: (s.x, s.y) for s in picture.series}, {"baseline": ([1, 2], [1.0, 3.0]), "candidate": ([1, 3], [2.0, 4.5])})
        many = [one("c%d" % i, pairs) for i in range(13)]
        self.assertEqual(len(comparison.pictures_of({"series": many})), 1 + 12)

    def test_series_without_a_ratio_are_counted(self):
        known = {"case": "a", "mode": "wall", "verdict": "SAME", "pairs": [], "estimate": {"ratio": 1.0, "interval": [0.9, 1.1]}}
        unknown = {"case": "b", "mode": "wall", "verdict": "NOT_COMPARED", "pairs": [], "estimate": None}
        for series, says in (([known, known], None), ([known, known, unknown], "1 of 3"), ([known, unknown, unknown], "2 of 3")):
            found = {"baseline": "a", "candidate": "b", "series": series}
            notes = [note for note in comparison.table(found).notes if note.startswith("without a ratio")]
            self.assertEqual(notes, ["without a ratio: " + says] if says else [])

    def test_a_picture_is_whole(self):
        name = "//benchmarks/a_folder_with_a_long_name:a_case_with_a_long_name_as_well_fp32_b1_s128_gen32"
        baseline = "//benchmarks/b_folder_with_a_long_name:the_case_of_the_baseline_with_a_name_as_long_fp32_b1_s128_gen32 (this tree)"
        estimate = {"ratio": 1.03, "interval": [1.02, 1.04]}
        one = {"case": name, "mode": "wall", "verdict": "SLOWER", "pairs": [], "estimate": estimate}
        found = {"baseline": baseline, "candidate": "//b", "metric": "cpu", "series": [one]}
        (_, picture), *_ = comparison.pictures_of(found)
        drawn = [text.decode() for text in re.findall(rb"<!-- (.*?) -->", pictures.svg(picture))]
        self.assertIn("1.0300  SLOWER", drawn)
        self.assertTrue(any(text.startswith("CPU time of the candidate") for text in drawn), drawn)
        for whole in (name + "/wall", baseline):
            self.assertIn("".join(whole.split()), "".join("".join(drawn).split()))
        self.assertFalse([text for text in drawn if "…" in text])


if __name__ == "__main__":
    unittest.main()
