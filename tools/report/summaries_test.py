"""summary, combined, stability, targets and the page's tiers, cell by cell."""

import io
import os
import unittest

from tools.report import fixtures, program, tiers
from tools.report.program_test import suite, timed
from tools.results.errors import Stop


def of(model, backend, median, **fields):
    """Known to 1 %."""
    name = model if backend == "EAGER" else "%s_%s" % (model, backend.lower())
    return timed(name, median, 0.99 * median, 1.01 * median, backend, benchmark_case__model=model, **fields)


def measured(run, **fields):
    run["measurements"][0].update(fields)
    return run


class Summaries(fixtures.ReportTest):
    def table(self, report, *words):
        """The first table's rows as dictionaries; self.others: the other tables."""
        table, *self.others = self.tables("a.jsonl", "--report=" + report, *words)
        self.notes = table["notes"]
        self.columns = table["columns"]
        return [dict(zip(table["columns"], row)) for row in table["rows"]]

    def test_a_row_of_each_back_end(self):
        runs = [of("mlp", "EAGER", 100), of("bert", "EAGER", 80), of("mlp", "TORCHSCRIPT", 50), of("bert", "TORCHSCRIPT", 10)]
        runs += [of("gpt2", "TORCHSCRIPT", 70), of("dlrm", "EAGER", 5, outcome="CRASH")]
        self.write("a.jsonl", *runs)
        eager, fast = self.table("summary")
        self.assertEqual(
            {name: value for name, value in eager.items() if name not in ("Machine", "Mean compile s")},
            {
                "Suite": "assay",
                "Dtype": "fp32",
                "Mode": "inference",
                "Backend": "eager",
                "Pass rate": "67 %, 2/3",
                "Geomean speedup": None,
            }
            | {"Low95": None, "High95": None, "Models": 0, "Mean compression": None, "Skipped": 0},
        )
        self.assertEqual((fast["Backend"], fast["Pass rate"], fast["Models"]), ("torchscript", "100 %, 3/3", 2))
        self.assertAlmostEqual(fast["Geomean speedup"], 4, places=12)
        self.assertLess(3.9, fast["Low95"])
        self.assertLess(fast["Low95"], 4)
        self.assertLess(4, fast["High95"])
        self.assertIn("speedups are over eager", self.notes)
        (both,) = self.table("combined")
        self.assertEqual([both[name] for name in ("Suite", "Dtype", "Mode", "Models")], ["assay", "fp32", "inference", 2])
        for name, want in (
            ("Pass rate(eager)", "67 %, 2/3"),
            ("Speedup(eager)", None),
            ("Low95(eager)", None),
            ("High95(eager)", None),
            ("Pass rate(torchscript)", "100 %, 3/3"),
        ):
            self.assertEqual(both[name], want)
        for name, other in (
            ("Speedup(torchscript)", "Geomean speedup"),
            ("Low95(torchscript)", "Low95"),
            ("High95(torchscript)", "High95"),
        ):
            self.assertEqual(both[name], fast[other])

    def test_means_of_compiling_and_memory(self):
        runs = []
        for model, backend, first_call, peak in (
            ("mlp", "EAGER", 1e9, "600"),
            ("mlp", "TORCHSCRIPT", 2e9 + 100, "300"),
            ("bert", "EAGER", 3e9 + 100, "800"),
            ("bert", "TORCHSCRIPT", 6e9 + 100, "1600"),
        ):
            runs.append(measured(of(model, backend, 100), first_call_ns=first_call, peak_host_bytes=peak))
        self.write("a.jsonl", *runs)
        eager, fast = self.table("summary")
        self.assertEqual([(round(r["Mean compile s"], 6), r["Mean compression"]) for r in (eager, fast)], [(2, None), (4, 1.25)])
        # A model that not all back ends have does not enter.
        self.write("a.jsonl", *runs, measured(of("gpt2", "TORCHSCRIPT", 100), first_call_ns=100e9, peak_host_bytes="5"))
        self.assertEqual([(round(r["Mean compile s"], 6), r["Mean compression"]) for r in self.table("summary")[1:]], [(4, 1.25)])

    def test_a_peak_that_is_not_known_is_in_no_mean(self):
        for peaks in ((300, 0), (0, 150), (0, 0)):
            runs = [
                measured(of("mlp", backend, 100), peak_host_bytes=str(peak))
                for backend, peak in (("EAGER", 300), ("TORCHSCRIPT", 150))
            ]
            runs += [
                measured(of("bert", backend, 100), peak_host_bytes=str(peak))
                for backend, peak in zip(("EAGER", "TORCHSCRIPT"), peaks)
            ]
            self.write("a.jsonl", *runs)
            self.assertEqual([row["Mean compression"] for row in self.table("summary")], [None, 2.0])

    def test_a_first_call_that_took_no_longer_compiled_nothing(self):
        for first_call, want in ((100, None), (99, None), (100 + 1e9, 1.0)):
            self.write("a.jsonl", measured(of("mlp", "EAGER", 100), first_call_ns=first_call))
            self.assertEqual([row["Mean compile s"] for row in self.table("summary")], [want])

    def test_warnings_at_their_limits(self):
        def warnings(median=100, first_call=None, peak=100):
            runs = [of("mlp", "EAGER", 95), of("mlp", "TORCHSCRIPT", median)]
            for run, bytes_of in zip(runs, (90, peak)):
                measured(run, peak_host_bytes=str(bytes_of), first_call_ns=median)
            if first_call is not None:
                measured(runs[1], first_call_ns=first_call)
            self.write("a.jsonl", *runs)
            self.table("summary")
            table = self.others[0]
            self.assertEqual(table["columns"], ["Machine", "Suite", "Case", "Backend", "Warning", "Reason", "Value"])
            self.assertEqual(table["notes"], [] if table["rows"] else ["no warnings"])
            return [row[1:] for row in table["rows"]]

        self.assertEqual(warnings(), [])
        self.assertEqual(warnings(first_call=120e9 + 100), [])
        told = ["assay", "mlp_torchscript", "torchscript"]
        self.assertEqual(warnings(median=125), [[*told, "speedup below 0.95", None, 0.76]])
        self.assertEqual(warnings(first_call=125e9 + 100), [[*told, "compiling above 120 s", None, 125.0]])
        self.assertEqual(warnings(peak=120), [[*told, "compression below 0.9", None, 0.75]])
        self.assertEqual(warnings(peak=101), [[*told, "compression below 0.9", None, 90 / 101]])
        self.write("a.jsonl", of("mlp", "EAGER", 95), of("mlp", "TORCHSCRIPT", 95, outcome="FAIL_ACCURACY"))
        self.table("summary")
        self.assertEqual([row[1:] for row in self.others[0]["rows"]], [[*told, "accuracy did not pass", "FAIL_ACCURACY", None]])

    def test_what_was_skipped_is_no_failure_and_what_nobody_verified_no_pass(self):
        runs = suite("mlp", "bert", "gpt2")
        runs[3].update(outcome="SKIPPED_DECLARED", measurements=[])
        runs[5].update(outcome="CRASH", measurements=[])
        self.write("a.jsonl", *runs)
        eager, fast = self.table("summary")
        self.assertEqual([(r["Pass rate"], r["Skipped"]) for r in (eager, fast)], [("100 %, 3/3", 0), ("50 %, 1/2", 1)])
        for run in runs[1::2]:
            run.update(outcome="NOT_VERIFIED")
        self.write("a.jsonl", *runs)
        self.assertEqual(
            [(r["Pass rate"], r["Skipped"]) for r in self.table("summary", "--unverified")[1:]], [("not verified, 0/3", 0)]
        )
        for run in runs[1::2]:
            run.update(outcome="SKIPPED_DECLARED", measurements=[])
        self.write("a.jsonl", *runs)
        self.assertEqual([(r["Pass rate"], r["Skipped"]) for r in self.table("summary")[1:]], [(None, 3)])

    def test_a_verdict_is_of_its_device_mode_and_type(self):
        head = b"dev,name,batch_size,"
        for dtype, mode, device, word in (
            ("float32", "inference", "cuda", b"pass"),
            ("float32", "inference", "cpu", b"fail_accuracy"),
            ("float32", "training", "cuda", b"eager_1st_run_OOM"),
            ("bfloat16", "inference", "cuda", b"fail_accuracy"),
        ):
            stem = "inductor_huggingface_%s_%s_%s_" % (dtype, mode, device)
            self.write(stem + "accuracy.csv", head + b"accuracy\n%s,m,8,%s\n" % (device.encode(), word))
            self.write(stem + "performance.csv", head + b"speedup,abs_latency\n%s,m,8,1.5,4.0\n" % device.encode())
        (table, *_) = self.tables(*sorted(os.listdir(self.folder)), "--report=summary")
        rates = {(row[0].split("_")[1], row[2], row[3]): row[5] for row in table["rows"]}
        none = "0 %, 0/1"
        self.assertEqual(
            rates,
            {
                ("cuda", "fp32", "inference"): "100 %, 1/1",
                ("cpu", "fp32", "inference"): none,
                ("cuda", "fp32", "training"): none,
                ("cuda", "bf16", "inference"): none,
            },
        )

    def test_a_row_of_zeros_has_failed_by_itself(self):
        stem = "inductor_huggingface_float32_inference_cuda_"
        self.write(stem + "accuracy.csv", b"dev,name,batch_size,accuracy\ncuda,m,8,fail_accuracy\n")
        self.write(stem + "performance.csv", b"dev,name,batch_size,speedup,abs_latency\ncuda,m,8,0.0,0.0\n")
        for files in (("accuracy.csv", "performance.csv"), ("performance.csv", "accuracy.csv")):
            _, warnings, *_ = self.tables(*(stem + name for name in files), "--report=summary")
            (reason,) = [row[5] for row in warnings["rows"]]
            self.assertNotEqual(reason, "FAIL_ACCURACY", files)

    def test_a_baseline_that_failed_is_named(self):
        runs = [of("mlp", "EAGER", 100, outcome="FAIL_ACCURACY"), of("mlp", "TORCHSCRIPT", 50), of("mlp", "EXPORTED", 25)]
        self.write("a.jsonl", *runs)
        found = {r["Backend"]: r["Geomean speedup"] for r in self.table("summary", "--backends=eager,torchscript,exported")}
        self.assertEqual(found, {"eager": None, "torchscript": None, "exported": None})
        said = "eager is no baseline of assay fp32 inference: none of its runs may be one"
        self.assertIn(said, self.notes)
        found = {r["Backend"]: r["Geomean speedup"] for r in self.table("summary")}
        self.assertIn(said, self.notes)
        (first,) = [name for name, value in found.items() if value is None and name != "eager"]
        self.assertIn("speedups are over " + first, self.notes)
        runs[0]["outcome"] = "PASS"
        self.write("a.jsonl", *runs)
        found = {r["Backend"]: r["Geomean speedup"] for r in self.table("summary")}
        self.assertEqual(found, {"eager": None, "torchscript": 2, "exported": 4})
        self.assertFalse([note for note in self.notes if "no baseline" in note])

    def test_one_back_end_has_nothing_to_be_held_against(self):
        self.write("a.jsonl", of("mlp", "EAGER", 100))
        (row,) = self.table("summary")
        self.assertEqual((row["Geomean speedup"], row["Models"]), (None, 0))
        self.assertFalse([note for note in self.notes if note.startswith("speedups are over")])

    def test_a_device_is_another_machine_even_where_it_stands_in_the_same(self):
        both = [
            of("mlp", "EAGER", median, device=device, environment__gpu_name="H100")
            for device, median in (("CPU", 4e6), ("CUDA", 1e6))
        ]
        both.append(of("mlp", "TORCHSCRIPT", 2e6, device="CPU", environment__gpu_name="H100"))
        self.write("a.jsonl", *both)
        for words, want in (([], {4: None, 1: None, 2: 0.5}), (["--across"], {4: None, 1: 0.25, 2: 0.5})):
            (table,) = self.tables("a.jsonl", "--report=targets", *words)
            self.notes, columns, (row,) = table["notes"], table["columns"], table["rows"]
            times = [i for i, name in enumerate(columns) if name.startswith("Latency")]
            self.assertEqual([name[:5] for name in columns[6:]], ["Laten", *["Laten", "Ratio", "Low95", "High9"] * 2])
            found = {row[i]: row[i + 1] if place else None for place, i in enumerate(times)}
            if words:
                self.assertFalse([note for note in self.notes if "two machines" in note])
            else:
                self.assertEqual(self.notes[0], "1 ratios would be of two machines; --across gives them")
            self.assertEqual(found, want)

    def test_spread_at_its_limit(self):
        day = "2026-11-%02dT00:00:00+00:00"
        self.write(
            "a.jsonl",
            *(of("mlp", "EAGER", median, started_utc=day % (i + 1)) for i, median in enumerate((900, 100, 125, 150, 125))),
        )
        for words, want in (
            (["--threshold=50"], [5, 100, 900, 8.0, "UNSTABLE"]),
            (["--threshold=50", "--rounds=4"], [4, 100, 150, 0.5, "UNSTABLE"]),
            (["--threshold=50.1", "--rounds=4"], [4, 100, 150, 0.5, "stable"]),
            (["--rounds=2"], [2, 125, 150, 0.2, "UNSTABLE"]),
        ):
            (row,) = self.table("stability", *words)
            got = [row[name] for name in ("Rounds", "Min ns", "Max ns", "(max-min)/min", "State")]
            self.assertEqual([*got[:3], round(got[3], 12), got[4]], want)
        self.write(
            "a.jsonl",
            of("mlp", "EAGER", 100),
            *(of("bert", "EAGER", m, started_utc=day % (20 + i)) for i, m in enumerate((100, 101))),
        )
        rows = self.table("stability")
        self.assertEqual(
            [(r["Case"], r["Rounds"], r["State"]) for r in rows], [("bert", 2, "stable"), ("mlp", 1, "too few rounds")]
        )
        self.assertEqual([r["(max-min)/min"] for r in rows][1], None)
        self.assertEqual(self.notes[0], "1 stable, 1 too few rounds; stable is below 7 % of at most 15 rounds")
        self.write("a.jsonl", of("mlp", "EAGER", 100, outcome="CRASH"))
        self.assertEqual(self.table("stability"), [])
        self.assertEqual(self.notes[0], "none; stable is below 7 % of at most 15 rounds")

    def test_of_two_commits_that_began_together_the_one_whose_record_came_last(self):
        runs = [of("mlp", "EAGER", median, environment__git_commit=commit * 40) for commit, median in (("a", 100), ("b", 200))]
        for order, want in ((runs, "bbbbbbbb"), (runs[::-1], "aaaaaaaa")):
            self.write("a.jsonl", *order)
            self.assertEqual([row["Commit"] for row in self.table("stability")], [want])

    def test_targets_side_by_side(self):
        self.write(
            "a.jsonl",
            of("mlp", "EAGER", 1e6),
            of("mlp", "TORCHSCRIPT", 4e6),
            of("bert", "TORCHSCRIPT", 3e6),
            of("dlrm", "EAGER", 2e6),
        )
        rows = self.table("targets")
        _, _, _, _, _, _, first, second, ratio, low, high = self.columns
        self.assertEqual((first[:11], second[:11], ratio[:9]), ("Latency ms(", "Latency ms(", "Ratio to "))
        self.assertIn(" eager ", first)
        self.assertIn(" torchscript ", second)
        self.assertEqual(ratio, "Ratio to " + first[11:-1])
        self.assertEqual(
            [(r["Model"], r[first], r[second]) for r in rows], [("bert", None, 3.0), ("dlrm", 2.0, None), ("mlp", 1.0, 4.0)]
        )
        self.assertEqual([r[ratio] for r in rows], [None, None, 4.0])
        self.assertTrue(3.9 < rows[2][low] < 4 < rows[2][high] < 4.1)
        self.assertEqual(
            [rows[2][name] for name in ("Suite", "Dtype", "Batch", "Mode", "Case")], ["assay", "fp32", 1, "inference", "mlp"]
        )
        self.assertFalse([note for note in self.notes if "two machines" in note])


class Chosen(fixtures.ReportTest):
    def cases(self, *words):
        return [row[5] for row in self.tables("a.jsonl", "--report=targets", *words)[0]["rows"]]

    def test_what_filters_choose(self):
        runs = [of("bert", "EAGER", 100), of("gpt2", "EAGER", 100), of("mlp", "EAGER", 100), of("mlp", "TORCHSCRIPT", 100)]
        runs[3]["benchmark_case"]["dtype"] = "BF16"
        runs[2]["benchmark_case"]["tags"] = ["suite=theirs"]
        runs[1]["benchmark_case"]["mode"] = "TRAIN"
        self.write("a.jsonl", *runs)
        for words, want in (
            ([], "bert gpt2 mlp_torchscript mlp"),
            (["-k", "^MLP$"], "mlp_torchscript mlp"),  # the model's name
            (["-k", "_torch"], "mlp_torchscript"),  # or the case's
            (["-k", "_torch", "-k", "gp"], "gpt2 mlp_torchscript"),
            (["-x", "_torch"], "bert gpt2 mlp"),
            (["-x", "^mlp$", "-x", "gp"], "bert"),
            (["-k", "mlp", "-x", "_torch"], "mlp"),
            (["--filter-by-tier=1"], "gpt2"),
            (["--exclude-by-tier=1"], "bert mlp_torchscript mlp"),
            (["--test=training"], "gpt2"),
            (["--test=inference"], "bert mlp_torchscript mlp"),
            (["--dtype=BF16"], "mlp_torchscript"),
            (["--dtype=fp32"], "bert gpt2 mlp"),
            (["--suite=theirs"], "mlp"),
            (["--suite=assay"], "bert gpt2 mlp_torchscript"),
            (["--machine=xeon"], "bert gpt2 mlp_torchscript mlp"),
            (["--backends=torchscript"], "mlp_torchscript"),
        ):
            self.assertEqual(" ".join(self.cases(*words)), want, words)
        for words in (["--machine=h100"], ["--test=generation"], ["--dtype=fp16"], ["-k", "mlp", "--dtype=fp16"]):
            self.expect(2, "a.jsonl", "--report=targets", *words)
            self.assertIn("nothing to report: there are no runs: none of 4 is asked for by", self.err)

    def test_two_folders_are_held_against_each_other_and_a_folder_and_a_file_are_not(self):
        for folder in ("old", "new"):
            os.mkdir(self.path(folder))
            self.write(folder + "/results.jsonl", *suite("mlp"))
        self.write("one.jsonl", *suite("bert"))
        self.assertEqual(self.expect(0, "old", "new").splitlines()[0], "new against old")
        self.assertFalse(os.path.exists(self.path("report.html")))
        self.assertIn("Summary", self.expect(0, "old", "one.jsonl"))
        self.assertIn("Results of old and 1 more", self.read("report.html"))

    def test_the_table_is_out_before_what_is_wrong_is_told(self):
        class Log(io.StringIO):
            def flush(log):
                log.write("flushed")

        self.write("a.jsonl", *suite("mlp"), b"{\n")
        log = Log()
        self.assertEqual(program.main(["a.jsonl", "--report=summary"], {"BUILD_WORKING_DIRECTORY": self.folder}, log, log), 1)
        table, told, *_ = log.getvalue().split("flushed")
        self.assertTrue(table.startswith("Summary\n"))
        self.assertIn("a.jsonl:3: malformed", told)

    def test_why_there_is_no_baseline(self):
        for outcome, says in (
            ("NOT_VERIFIED", "(2 NOT_VERIFIED); --unverified lets those in that nobody verified"),
            ("CRASH", "(2 CRASH)\n"),
        ):
            self.write("a.jsonl", *(run | {"outcome": outcome} for run in suite("mlp", "bert")))
            for report in ("latest", "speedup", "histogram", "latest_grouped"):
                self.expect(2, "a.jsonl", "--report=" + report)
                self.assertIn(says, self.err)

    def test_columns_of_intervals_stand_behind(self):
        self.write("a.jsonl", *suite("mlp"))
        limits = [word % name for name in ("eager", "torchscript") for word in ("Low95(%s)", "High95(%s)")]
        for report, first, rest in (
            ("latest", "# Workload", []),
            ("latest_grouped", "# ModelName", []),
            ("speedup", "# Datetime(UTC)", ["Models"]),
        ):
            (table,) = self.tables("a.jsonl", "--report=" + report)
            figures = [
                word % name if "%" in word else word
                for name in ("eager", "torchscript")
                for word in ["Speedup(%s/Oldest eager)", "StdDev"] + ["ModelName(%s)"] * (report == "latest")
            ]
            self.assertEqual(table["columns"], [first, *figures, *limits, *rest])
            self.assertEqual({len(row) for row in table["rows"]}, {len(table["columns"])})
            by_name = dict(zip(table["columns"], table["rows"][0]))
            self.assertTrue(by_name["Low95(torchscript)"] < 2 < by_name["High95(torchscript)"])

    def test_a_mean_on_each_of_two_machines(self):
        there = {"environment__cpu_model": "Another CPU"}
        self.write("a.jsonl", *suite("mlp", "bert"), of("mlp", "EAGER", 100, **there))
        (table,) = self.tables("a.jsonl", "--report=latest_grouped")
        notes = [note.partition(" on ") for note in table["notes"] if note.startswith("GEOMEAN")]
        self.assertEqual(
            [(said, bool(where)) for said, _, where in sorted(notes)],
            [
                ("GEOMEAN is over the 1 models that all back ends have", True),
                ("GEOMEAN is over the 2 models that all back ends have", True),
            ],
        )
        self.assertEqual(table["columns"][:2], ["# Machine", "ModelName"])
        rows = [[*row[1:3], row[4]] for row in table["rows"]]
        self.assertEqual(
            sorted(map(str, rows)),
            sorted(
                map(
                    str,
                    [["bert", 1.0, 2.0], ["mlp", 1.0, 2.0], ["GEOMEAN", 1.0, 2.0], ["mlp", 1.0, None], ["GEOMEAN", 1.0, None]],
                )
            ),
        )


class Tiers(unittest.TestCase):
    def test_models_of_tiers_by_both_names(self):
        self.assertEqual(tiers.models([]), frozenset())
        first, second = tiers.models([1]), tiers.models([2])
        self.assertEqual(tiers.models([1, 2]), first | second)
        self.assertTrue(first and second and not first & second)
        for found, theirs, here in ((first, "hf_GPT2", "gpt2"),):
            self.assertIn(theirs, found)
            self.assertIn(here, found)
        with self.assertRaisesRegex(Stop, "tier 9: there are 1, 2, 3"):
            tiers.models([1, 9])


if __name__ == "__main__":
    unittest.main()
