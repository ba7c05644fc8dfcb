"""Two results of the same cases: what changed, and what is decided of it."""

import os
import unittest

from tools.report import fixtures, program_test

_FLAGGED = [{"name": "cpu_contention", "status": "CHECK_FLAGGED"}]
_WEEK = {"started_utc": "2026-11-28T10:00:00+00:00", "environment__git_commit": "b" * 40}


def timed(name, *figures, **fields):
    return program_test.timed(name, *figures, **{"benchmark_case__model": name, **fields})


def flagged(made):
    made["measurements"][0]["checks"] = _FLAGGED
    return made


class ChangesTest(fixtures.ReportTest):
    def folders(self, old, new):
        for name, records in (("old", old), ("new", new)):
            os.makedirs(self.path(name), exist_ok=True)
            self.write(name + "/results.jsonl", *records)

    def rows(self, *words, code=0):
        """{case: (decision, ratio to three digits, reason)}"""
        (table,) = self.tables("old", "new", "--report=changes", *words, code=code)
        self.notes = table["notes"]
        at = {name: place for place, name in enumerate(table["columns"])}
        got = {}
        for row in table["rows"]:
            ratio = row[at["New/old"]]
            got[row[0]] = (row[at["Decision"]], ratio and round(ratio, 3), row[at["Reason"]])
        return got

    def test_each_decision(self):
        old = [timed(name, 100, 99, 101) for name in "same slower faster close wide gone still contended".split()]
        old += [timed("broken", 100, 99, 101), timed("mended", 100, 99, 101, outcome="FAIL_ACCURACY")]
        old[6]["outcome"] = "CRASH"
        new = [
            timed("same", 101, 100, 102, **_WEEK),
            timed("slower", 120, 119, 121, **_WEEK),
            timed("faster", 80, 79, 81, **_WEEK),
            timed("close", 107, 106, 108, **_WEEK),
            timed("wide", 103, 80, 130, **_WEEK),
            timed("still", 90, 89, 91, outcome="TIMEOUT", **_WEEK),
            flagged(timed("contended", 300, 299, 301, **_WEEK)),
            timed("broken", 90, 89, 91, outcome="FAIL_ACCURACY", **_WEEK),
            timed("mended", 90, 89, 91, **_WEEK),
            timed("added", 90, 89, 91, **_WEEK),
        ]
        self.folders(old, new)
        want = {
            "broken": ("FAILED", None, "FAIL_ACCURACY, before PASS"),
            "slower": ("SLOWER", 1.2, ""),
            "gone": ("MISSING", None, "only in old: PASS"),
            "contended": ("NOT_COMPARED", None, "new: FLAGGED cpu_contention"),
            "close": ("INCONCLUSIVE", 1.07, "the interval lies on both sides of +7 %"),
            "wide": ("INCONCLUSIVE", 1.03, "the interval lies on both sides of +7 %"),
            "mended": ("BETTER", None, "PASS, before FAIL_ACCURACY"),
            "faster": ("FASTER", 0.8, ""),
            "added": ("NEW", None, "only in new: PASS"),
            "same": ("SAME", 1.01, ""),
            "still": ("STILL_FAILED", None, "TIMEOUT, before CRASH"),
        }
        rows = self.rows(code=1)
        self.assertEqual(rows, want)
        self.assertEqual(list(rows), list(want), "in the order of what asks for a look")
        self.assertIn("1 FAILED, 1 SLOWER, 1 MISSING, 1 NOT_COMPARED, 2 INCONCLUSIVE, 1 BETTER, 1 FASTER, 1 NEW, 1 SAME", self.notes[0])
        self.assertIn("1 not compared because a time is FLAGGED", self.notes[2])
        self.assertIn("--metric=cpu", self.notes[2])
        self.assertRegex(
            self.notes[3], r"--baseline=git:[0-9a-f]{12} --candidate=\. --cases='\^\(slower\|close\|wide\|faster\|contended\)\$'"
        )
        self.assertEqual(self.rows("--threshold=25", code=1)["slower"][0], "SAME")
        self.assertEqual(list(self.rows("-k", "^s", code=2)), ["slower", "same", "still"])

    def test_the_exit_code_is_that_of_the_new_sides_outcomes(self):
        for old, new, code in (
            ("PASS", "FAIL_ACCURACY", 1),
            ("CRASH", "CRASH", 1),
            (None, "FAIL_SHAPE", 1),
            ("PASS", "TIMEOUT", 2),
            ("PASS", "NO_DEVICE", 2),
            ("PASS", "SKIPPED_DECLARED", 0),
            ("PASS", "NOT_VERIFIED", 0),
            ("FAIL_ACCURACY", "PASS", 0),
            ("FAIL_ACCURACY", None, 0),
        ):
            def one(outcome, **fields):
                return [timed("mlp", 100, 99, 101, outcome=outcome, **fields)] if outcome else []

            self.folders([timed("other", 100, 99, 101), *one(old)], [timed("other", 300, 299, 301, **_WEEK), *one(new, **_WEEK)])
            self.expect(code, "old", "new")
            self.expect(code, "old", "new", "--report=changes", "--format=svg")
            self.expect(0, "new", "--report=summary")
        self.folders([timed("mlp", 100, 99, 101)], [timed("mlp", 1, 1, 1, outcome="TIMEOUT", **_WEEK), timed("bad", 1, 1, 1, outcome="CRASH", **_WEEK)])
        self.expect(1, "old", "new")  # of 1 and 2 together, 1

    def test_the_command_names_five_cases_at_most(self):
        for count in (5, 6):
            names = ["m%d" % i for i in range(count)]
            self.folders([timed(name, 100, 99, 101) for name in names], [timed(name, 200, 199, 201, **_WEEK) for name in names])
            self.assertEqual(self.rows().keys(), set(names))
            self.assertIn("--cases='^(m0|m1|m2|m3|m4)$'", self.notes[2])

    def test_two_folders_alone_are_asked_what_changed(self):
        self.folders([timed("mlp", 100, 99, 101)], [timed("mlp", 200, 198, 202, **_WEEK)])
        found = self.expect(0, "old", "new")
        self.assertIn("new against old\n", found)
        self.assertRegex(found, r"mlp +0\.0001 +0\.0002 +2 +1\.9\d+ +2\.0\d+ +SLOWER")
        self.expect(0, "old", "--report=summary")
        self.expect(0, "new", "--report=summary")
        rows = self.expect(0, "old/results.sqlite", "new/results.sqlite").splitlines()
        self.assertEqual((rows[0], rows[1:4]), ("new/results.sqlite against old/results.sqlite", found.splitlines()[1:4]))
        self.expect(0, "old", "new", "--report=summary")
        self.assertIn("Summary", self.out)
        self.expect(0, "old", "new/results.jsonl")
        self.assertIn("report.html", self.out)
        for form in ("csv", "json", "markdown", "svg", "ascii"):
            self.expect(0, "old", "new", "--report=changes", "--format=" + form)

    def test_a_record_that_both_hold_is_on_both_sides(self):
        self.folders([timed("mlp", 100, 99, 101)], [timed("mlp", 100, 99, 101)])
        self.assertEqual(self.rows(), {"mlp": ("SAME", 1.0, "")})
        self.folders([timed("mlp", 100, 99, 101)], [timed("mlp", 100, 99, 101), timed("mlp", 200, 199, 201, **_WEEK)])
        self.assertEqual(self.rows()["mlp"][:2], ("SLOWER", 2.0))

    def test_the_last_run_of_each_side_counts(self):
        again = {"started_utc": "2026-11-28T11:00:00+00:00"}
        self.folders([timed("mlp", 100, 99, 101)], [flagged(timed("mlp", 300, 299, 301, **_WEEK)), timed("mlp", 101, 100, 102, **again)])
        self.assertEqual(self.rows()["mlp"][0], "SAME")
        # Several campaigns, whose lines stand in any order.
        made = [timed("mlp", 101, 100, 102, launch__suite_run="b", **again), timed("mlp", 300, 299, 301, launch__suite_run="a", **_WEEK)]
        for new in (made, made[::-1]):
            self.folders([timed("mlp", 100, 99, 101)], new)
            self.assertEqual(self.rows()["mlp"][0], "SAME")

    def test_another_machine_is_no_change(self):
        other = {"environment__cpu_model": "Another CPU"}
        self.folders([timed("mlp", 100, 99, 101)], [timed("mlp", 200, 199, 201, **_WEEK, **other)])
        decision, ratio, reason = self.rows()["mlp"]
        self.assertEqual((decision, ratio), ("NOT_COMPARED", None))
        self.assertRegex(reason, r"before on .*Xeon.*--across compares all the same")
        self.assertEqual(self.rows("--across")["mlp"][:2], ("SLOWER", 2.0))

    def test_back_ends_are_told_apart(self):
        old = [timed("mlp", 100, 99, 101), timed("mlp_ts", 50, 49, 51, "TORCHSCRIPT", benchmark_case__model="mlp")]
        new = [timed("mlp", 100, 99, 101, **_WEEK), timed("mlp_ts", 80, 79, 81, "TORCHSCRIPT", benchmark_case__model="mlp", **_WEEK)]
        self.folders(old, new)
        self.assertEqual({name: row[0] for name, row in self.rows().items()}, {"mlp": "SAME", "mlp_ts": "SLOWER"})
        columns = ["Old ms", "New ms", "New/old", "Low95", "High95", "Decision", "Reason"]
        for words, more in (([], ["Backend"]), (["-k", "_ts"], [])):
            (table,) = self.tables("old", "new", "--report=changes", *words)
            self.assertEqual(table["columns"], ["Case", *more, *columns])
        (table,) = self.tables("old", "new", "--report=changes")
        self.assertEqual([row[:4] for row in table["rows"]], [["mlp_ts", "torchscript", 50e-6, 80e-6], ["mlp", "eager", 100e-6, 100e-6]])
        there = {"environment__cpu_model": "Another CPU"}
        self.folders([timed("mlp", 100, 99, 101), timed("mlp", 100, 99, 101, **there)], [timed("mlp", 100, 99, 101, **_WEEK), timed("mlp", 100, 99, 101, **_WEEK, **there)])
        (table,) = self.tables("old", "new", "--report=changes")
        self.assertEqual(table["columns"], ["Case", "Machine", *columns])
        self.assertEqual([row[1][:7] for row in table["rows"]], ["Another", "Intel(R"])

    def test_unverified_runs_and_runs_without_a_time(self):
        old, new = timed("mlp", 100, 99, 101, outcome="NOT_VERIFIED"), timed("mlp", 200, 199, 201, outcome="NOT_VERIFIED", **_WEEK)
        self.folders([old, {**timed("smoke", 1, 1, 1), "measurements": []}], [new, {**timed("smoke", 1, 1, 1, **_WEEK), "measurements": []}])
        rows = self.rows()
        self.assertEqual(rows["mlp"][2], "old: NOT_VERIFIED; new: NOT_VERIFIED")
        self.assertEqual(rows["smoke"][:2], ("NOT_COMPARED", None))
        self.assertEqual(self.rows("--unverified")["mlp"][:2], ("SLOWER", 2.0))


if __name__ == "__main__":
    unittest.main()
