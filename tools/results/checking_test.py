"""check: what is wrong with a file, and whose fault it is."""

import os
import re
import unittest

from tools.results import synthetic
from tools.results.test_files import TESTDATA, ProgramTest, hostile_lines, line, real_record, record


class CheckTest(ProgramTest):
    def check(self, code, *contents):
        self.write("runs.jsonl", *contents)
        return self.expect(code, "check", "runs.jsonl")

    def suite(self, count):
        return list(synthetic.lines(count, samples=False, suite_run="night"))

    def test_a_whole_file(self):
        self.assertIn(
            "assay, 3 records, 1 of no suite, 1 footers; nothing wrong",
            self.check(0, *self.suite(2), synthetic.footer("night", 2), real_record()),
        )

    def test_a_run_without_footer_was_cut_off(self):
        self.assertIn(
            "the suite's run night has no footer: it was cut off after 2 configurations", self.check(2, *self.suite(2))
        )

    def test_missing_configurations(self):
        self.assertIn(
            "of 5 planned configurations of the suite's run night there are 2, and 0 were done before it",
            self.check(2, *self.suite(2), synthetic.footer("night", 5)),
        )

    def test_one_missing_configuration_is_missed_whatever_the_footer_says(self):
        for planned, before, code in ((2, 0, 0), (3, 0, 2), (5, 3, 0), (6, 3, 2)):
            footer = {"id": "night", "planned": str(planned), "done_before": str(before), "complete": True}
            self.check(code, *self.suite(2), {"schema_version": 2, "suite_run": footer})
            text = "of %d planned configurations of the suite's run night there are 2, and %d were" % (planned, before)
            self.assertEqual(text in self.out, code == 2, self.out)

    def test_numbers_of_configurations_have_64_bits(self):
        most = (1 << 63) - 1
        for number, code, says in ((most, 0, "nothing wrong"), (most + 1, 1, "malformed"), (-1, 1, "malformed")):
            footer = {"id": "night", "planned": str(most), "done_before": str(number), "complete": True}
            self.check(code, *self.suite(2), {"schema_version": 2, "suite_run": footer})
            self.assertIn(says, self.out)

    def test_those_done_before_count(self):
        footer = {
            "schema_version": 2,
            "suite_run": {"id": "night", "planned": "5", "done_before": "3", "complete": True},
        }
        self.check(0, *self.suite(2), footer)

    def test_a_footer_that_says_incomplete(self):
        self.assertIn(
            "says that it is not complete", self.check(2, *self.suite(2), synthetic.footer("night", 2, complete=False))
        )

    def test_a_torn_last_line(self):
        self.assertIn("runs.jsonl:2: torn line: 300 bytes", self.check(2, real_record(), line(real_record())[:300]))

    def test_duplicates(self):
        self.assertIn(
            "runs.jsonl:2: duplicate: the same record as in line 1", self.check(1, real_record(), real_record())
        )

    def test_a_second_footer(self):
        self.check(1, *self.suite(2), synthetic.footer("night", 2), synthetic.footer("night", 2))
        self.assertIn("a second footer", self.out)

    def test_another_schema_version(self):
        for other in (record(schema_version=3), record(schema_version=3, outcome=5)):  # whose fields may be of other types
            self.assertIn("runs.jsonl:1: other schema: schema version 3, and this program reads 2", self.check(2, other))

    def test_a_clock_that_goes_back_within_a_run(self):
        first, _, third = synthetic.lines(3, samples=False, suite_run="night")
        self.assertIn("runs.jsonl:2: clock going back", self.check(1, third, first, synthetic.footer("night", 2)))

    def test_problems_stand_in_the_order_of_lines(self):
        first, _, third = synthetic.lines(3, samples=False, suite_run="night")
        said = self.check(1, third, first, b"{\n", synthetic.footer("night", 2))
        self.assertEqual(re.findall(r"runs\.jsonl:(\d+): (\w+)", said), [("2", "clock"), ("3", "malformed")])

    def test_single_runs_may_stand_in_any_order(self):
        self.check(0, record(started_utc="2026-11-23T00:00:00+00:00"), record(started_utc="2026-11-22T00:00:00+00:00"))

    def test_malformed_lines_and_bad_numbers(self):
        bad = real_record()
        bad["measurements"][0]["p90_ns"] = -1
        self.check(1, b"{\n", bad, real_record(), record(benchmark_case__batch="x"))
        self.assertIn("malformed: 2, bad number: 1", self.out)

    def test_of_problems_20_are_printed(self):
        for count, rest in ((20, []), (21, ["  and 1 more"])):
            said = self.check(1, real_record(), *[b"{\n"] * count).splitlines()
            self.assertEqual(len([line for line in said if line.startswith("  runs.jsonl:")]), 20)
            self.assertEqual(said[21:], rest)
            _, _, err = self.run_program("import", "runs.jsonl", "--database=%d.sqlite" % count)
            self.assertEqual(err.count("runs.jsonl:"), 20)
            self.assertEqual("and 1 more; `check` counts them by kind" in err, bool(rest))
            self.assertNotIn("and 0 more", err)

    def test_what_an_output_leaves_out_is_0(self):
        self.check(0, record(verdict__outputs=[{"name": "a", "rms_limit": 1e-3, "max_limit": 1e-3}]))

    def test_what_no_column_holds_is_looked_at_too(self):
        lines = hostile_lines()
        self.check(1, real_record(), *lines)
        counts = re.search(r"malformed: (\d+), bad number: (\d+)$|bad number: (\d+), malformed: (\d+)$", self.out, re.M)
        self.assertIsNotNone(counts, self.out)
        self.assertEqual(sum(int(count) for count in counts.groups() if count), len(lines), self.out)

    def test_what_is_wrong_weighs_more_than_what_is_missing(self):
        self.check(1, real_record(), real_record(), b"{")

    def test_files_of_others(self):
        self.copy("xla_results.jsonl")
        self.assertIn("xla_results.jsonl: xla_jsonl, 4 records", self.expect(0, "check", "xla_results.jsonl"))

    def test_what_is_wrong_with_a_file_of_others(self):
        with open(os.path.join(TESTDATA, "xla_results.jsonl"), "rb") as f:
            self.write("xla.jsonl", f.read(), b"{\n")
        said = self.expect(1, "check", "xla.jsonl")
        self.assertIn("xla.jsonl: xla_jsonl, 4 records, 4 of no suite, 0 footers; malformed: 1\n  xla.jsonl:5: malformed: ", said)

    def test_a_file_that_is_missing(self):
        self.expect(2, "check", "nowhere.jsonl")
        self.assertIn("nowhere.jsonl: No such file", self.err)


if __name__ == "__main__":
    unittest.main()
