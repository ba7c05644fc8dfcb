"""Numbers at the edges of tables, pictures and the page: what mutants of them survived (//tools:mutate -- --family=python)."""

import json
import re
import unittest
from unittest import mock

from tools.report import comparison, distributions, fixtures, pictures
from tools.report import page as page_module
from tools.report.program_test import timed


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


class Words(fixtures.ReportTest):
    def test_two_rounds_are_enough(self):
        self.write("a.jsonl", at(1), at(2))
        (table,) = self.tables("a.jsonl", "--report=stability", "--rounds=2")
        self.assertEqual(len(table["rows"]), 1)
        self.expect(3, "a.jsonl", "--report=stability", "--rounds=1")


class Comparisons(unittest.TestCase):
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
