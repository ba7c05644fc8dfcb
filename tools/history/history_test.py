"""add and show: series of the database, which points are in them, and what changed with which commit and environment."""

import io
import json
import os
import random
import re
import unittest

from tools.history import change_points, program, series
from tools.results.test_files import ProgramTest, record


def run(day, median_ns, case="mlp_fp32_b1", **fields):
    commit = "%08x" % day + 32 * "0"
    measurement = {"mode": "wall", "step": "forward", "median_ns": median_ns}
    fields = {
        "measurements": [measurement],
        "started_utc": "2026-01-%02dT10:00:00+00:00" % day,
        "environment__git_commit": commit,
        **fields,
    }
    return record(benchmark_case__name=case, benchmark_case__label="//a:" + case, **fields)


class HistoryTest(ProgramTest):
    def history(self, want, *words):
        out, err = io.StringIO(), io.StringIO()
        code = program.main(list(words), {"BUILD_WORKING_DIRECTORY": self.folder}, out, err)
        self.assertEqual(code, want, out.getvalue() + err.getvalue())
        self.out, self.err = out.getvalue(), err.getvalue()
        return self.out

    def add(self, *records):
        self.write("runs.jsonl", *records)
        self.history(0, "add", "runs.jsonl")

    def show(self, *words):
        return json.loads(self.history(0, "show", *words, "--format=json"))

    def noisy(self, before, after, share, **fields):
        noise = random.Random(1)
        levels = [1e6] * before + [1e6 * (1 + share)] * after
        return [run(day, level * (1 + 0.003 * noise.gauss(0, 1)), **fields) for day, level in enumerate(levels, 1)]

    def test_a_steady_series(self):
        self.add(*self.noisy(20, 0, 0))
        (row,) = self.show()
        self.assertEqual(
            (row["case_name"], row["mode"], row["points"], row["change_percent"]), ("mlp_fp32_b1", "wall", 20, None)
        )
        self.assertTrue(0.5 <= row["noise_percent"] <= 3, row)

    def test_the_last_step_is_held_against_the_noise_before_it(self):
        runs = self.noisy(7, 0, 0)
        self.add(*runs, run(8, 3e6))
        (row,) = self.show()
        self.assertGreater(row["last_percent"], 190)
        noise = change_points.noise([one["measurements"][0]["median_ns"] for one in runs])
        self.assertEqual(row["noise_percent"], round(100 * noise, 2))

    def test_a_change_with_its_commit_and_environment(self):
        runs = self.noisy(12, 12, 0.05)
        for one in runs[12:]:
            one["environment"].update(compiler="gcc 14", torch_version="2.12.0")
        self.add(*runs)
        (row,) = self.show("^mlp")
        self.assertAlmostEqual(row["change_percent"], 5, delta=0.5)
        self.assertEqual((row["from_commit"], row["to_commit"]), ("0000000c", "0000000d"))
        self.assertEqual(row["environment"], "torch_version 2.11.0 -> 2.12.0; compiler gcc 12.2.0 -> gcc 14")
        points = self.show("--points")
        self.assertEqual([p["day"] for p in points if p["change_percent"] is not None], ["2026-01-13"])
        self.assertEqual([p["change_percent"] for p in points if p["change_percent"] is not None], [row["change_percent"]])
        steps = [p["step_percent"] for p in points]
        medians = [p["median_ns"] for p in points]
        self.assertEqual(steps, [None] + [round(100 * (b / a - 1), 2) for a, b in zip(medians, medians[1:])])
        self.assertEqual(len(points), 24)

    def test_what_differs_is_of_the_point_before(self):
        points = [series.Point("2026-01-0%d" % i, "c", 1.0, 1, tuple(str(i) if i < 3 else "3" for _ in series.ENVIRONMENT)) for i in range(1, 6)]
        one = series.Series(*["x"] * 8, points, {})
        self.assertEqual([one.differences(place)[:1] for place in range(1, 5)], [[series.ENVIRONMENT[0] + " %d -> %d" % (i, i + 1)] for i in (1, 2)] + [[], []])

    def test_series_are_in_alphabetical_order(self):
        self.add(run(1, 1e6, "b"), run(2, 1e6, "a"), run(3, 1e6, "c"), run(4, 1e6, "a", environment__cpu_model="another"))
        self.assertEqual([row["case_name"] for row in self.show()], ["a", "a", "b", "c"])
        self.assertEqual([row["machine"][:7] for row in self.show("a")], ["Intel(R", "another"])
        # Two that have no name of their own are in the order of their first runs.
        made = [run(1, 1e6, outcome="CRASH"), run(3, 3e6, environment__cpu_count=99), run(5, 1e6)]
        self.add(*(one | {"benchmark_case": {**one["benchmark_case"], "name": "z"}} for one in made))
        self.assertEqual([row["median_ns"] for row in self.show("^z")], [1e6, 3e6])

    def test_back_ends_of_a_case_are_told_apart(self):
        self.add(*(run(1, 1e6, benchmark_case__execution__backend=backend) for backend in ("EAGER", "TORCHSCRIPT")))
        self.assertEqual([row["flags"] for row in self.show()], ["--backend=eager", "--backend=torchscript"])

    def test_a_slow_down_is_between_two_commits(self):
        def bisect(code, *commits):
            runs = self.noisy(10, 10, 0.05)
            for one, commit in zip(runs, [commits[0]] * 10 + [commits[-1]] * 10):
                one["environment"].update(git_commit=commit.rstrip("+") if commit != "unknown" else "", git_dirty=commit.endswith("+"))
            self.write("runs.jsonl", *runs)
            for name in os.listdir(self.folder):
                if name.endswith(".sqlite"):
                    os.unlink(self.path(name))
            self.history(0, "add", "runs.jsonl")
            self.history(code, "bisect", "//a:mlp_fp32_b1", "--repository=.")
            return self.out + self.err

        a, b = "a" * 40, "b" * 40
        for commits in ((a, a), (a + "+", b), (a, b + "+"), ("unknown", b), (a, "unknown")):
            said = bisect(2, *commits)
            self.assertIn("it became slower between %s and %s, which are no two commits of their own" % (commits[0], commits[-1]), said)
        self.assertNotIn("which are no two commits", bisect(3, a, b))

    def test_machines_are_never_pooled(self):
        slow = [run(day, 3e6, environment__cpu_model="slow") for day in range(12, 24)]
        self.add(*self.noisy(11, 0, 0), *slow)
        rows = self.show()
        self.assertEqual(
            [(row["machine"], row["points"], row["change_percent"]) for row in rows],
            [("Intel(R) Xeon(R) Processor @ 2.80GHz", 11, None), ("slow", 12, None)],
        )

    def test_configurations_are_never_pooled(self):
        settings = [{"threads": str(threads), "batch": "1"} for threads in (0, 1)]
        self.add(
            *(
                run(day, day * 1e6, configuration={"digest": str(day), "settings": s})
                for day, s in enumerate(settings, 1)
            )
        )
        self.assertEqual(
            [(row["points"], row["flags"]) for row in self.show()], [(1, "--threads=0"), (1, "--threads=1")]
        )

    def test_what_is_left_out_is_counted(self):
        flagged = {
            "mode": "wall",
            "step": "forward",
            "median_ns": 9e6,
            "checks": [{"name": "steady", "status": "CHECK_FLAGGED"}],
        }
        self.add(run(1, 1e6), run(2, 9e6, outcome="FAIL_ACCURACY"), run(3, 0, measurements=[flagged]), run(4, 0.0))
        (row,) = self.show()
        self.assertEqual(
            (row["points"], row["median_ns"], row["left_out"]), (1, 1e6, "1 FAIL_ACCURACY, 1 FLAGGED, 1 a time of 0")
        )
        self.assertEqual((row["noise_percent"], row["last_percent"]), (None, None))

    def test_runs_that_are_all_left_out_are_no_table_of_empty_cells(self):
        check = {"name": "cpu_contention", "status": "CHECK_FLAGGED"}
        flagged = [{"mode": mode, "step": "forward", "median_ns": 9e6, "checks": [check]} for mode in ("wall", "throughput")]
        self.add(run(1, 0, measurements=flagged))
        for words in ([], ["--points"]):
            self.history(2, "show", *words)
            self.assertIn("show: no time to show: all of 2 series are left out: 2 FLAGGED\n", self.err)
            self.assertIn("tools/bazel run //tools:check_machine", self.err)
            self.assertNotIn("why others failed", self.err)
            (question,) = re.findall(r'query "(.*)"', self.err)
        self.assertEqual([row["left_out"] for row in self.show()], ["1 FLAGGED", "1 FLAGGED"])
        self.assertIn("cpu_contention", self.expect(0, "query", question))
        self.add(run(2, 1e6))
        self.assertIn("1 FLAGGED", self.history(0, "show"))

    def test_failures_that_are_all_left_out(self):
        self.add(run(1, 1e6, outcome="CRASH"), run(2, 1e6, outcome="FAIL_ACCURACY"))
        self.history(2, "show")
        self.assertIn("all of 1 series are left out: 1 CRASH, 1 FAIL_ACCURACY\nwhy others failed: ", self.err)
        self.assertNotIn("FLAGGED", self.err)

    def test_one_point_for_a_commit_and_a_day(self):
        runs = [run(1, median, duration_s=median) for median in (1e6, 1.2e6, 1.1e6)]
        dirty = run(1, 5e6, environment__git_dirty=True)
        self.add(*runs, dirty)
        self.assertEqual([(p["median_ns"], p["runs"]) for p in self.show("--points")], [(1.1e6, 3), (5e6, 1)])

    def test_steps_from_point_to_point(self):
        self.add(run(1, 1e6), run(2, 1.25e6), run(3, 1e6))
        self.assertEqual([p["step_percent"] for p in self.show("--points")], [None, 25, -20])
        self.assertEqual([row["last_percent"] for row in self.show()], [-20])

    def test_words_are_not_abbreviated(self):
        self.add(run(1, 1e6))
        for words in (["--data=results.sqlite", "show"], ["show", "--form=csv"], ["show", "--data=results.sqlite"]):
            self.history(3, *words)

    def test_tables_for_people(self):
        self.add(*self.noisy(12, 12, 0.05))
        self.assertIn("1.05 ms", self.history(0, "show"))
        self.assertIn("mlp_fp32_b1", self.history(0, "show", "--points", "--format=csv"))

    def test_wrong_words(self):
        self.history(2, "show")
        self.assertIn("no such database", self.err)
        self.add(run(1, 1e6))
        for words in (["show", "nothing_"], ["show", "--mode=cold"]):
            self.history(2, *words)
            self.assertIn("no time of such a case", self.err)
        for words in (["show", "("], [], ["bisect"], ["bisect", "mlp"], ["bisect", "//a:b", "--good=x"], ["add"]):
            self.history(3, *words)
        self.history(2, "add", "nowhere.jsonl")
        self.history(2, "bisect", "//a:mlp_fp32_b1", "--repository=.")
        self.assertIn("the database has no slow-down of //a:mlp_fp32_b1", self.err)


if __name__ == "__main__":
    unittest.main()
