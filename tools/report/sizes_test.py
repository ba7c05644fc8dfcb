"""Runs whose sizes vary: a row for all calls, and one for each size."""

import unittest

from tools.report.fixtures import ReportTest
from tools.results.test_files import record


def sized(mode, median_ns, **varied):
    return {"mode": mode, "step": "forward", "median_ns": median_ns, "samples_ns": [median_ns] * 6, "varied": varied}


class SizesTest(ReportTest):
    def rows(self, *records):
        self.write("a.jsonl", *records)
        (table,) = self.tables("a.jsonl", "--report=sizes", "--unverified")
        return [dict(zip(table["columns"], row)) for row in table["rows"]]

    def test_a_row_for_each_size(self):
        of_eight = sized("vary:tokens=8", 1e6, size="tokens=8", weight="3", alone_ns=8e5, ratio=1.25, made_s=0.5, compilations="1")
        of_eight |= {"unit": "token", "units_per_call": 8, "first_call_ns": 9e6}
        of_four = sized("vary:tokens=4", 5e5, size="tokens=4", weight="1", alone_ns=4e5, ratio=1.1)
        whole = sized("vary", 2e6, weight="4", ratio=1.2, compilations="2")
        whole |= {"calls_per_sample": "4", "unit": "token", "units_per_call": 7}
        rows = self.rows(record(measurements=[whole, of_eight, of_four]))
        self.assertEqual([row["Size"] for row in rows], ["all, as dealt", "tokens=4", "tokens=8"])
        self.assertEqual([row["Compiled"] for row in rows], [2, 0, 1])
        self.assertEqual([(row["Calls"], row["Units/s"]) for row in rows[::2]], [(24, 3500), (6, 8000)])
        want = {"Case": "mlp_fp32_b1", "Weight": 3, "Calls": 6, "Median ms": 1, "Units/s": 8000, "/ alone": 1.25, "First call ms": 9, "Made ms": 500}
        self.assertEqual({name: rows[2][name] for name in want}, want)

    def test_runs_of_one_size_have_none(self):
        self.assertEqual(self.rows(record()), [])


if __name__ == "__main__":
    unittest.main()
