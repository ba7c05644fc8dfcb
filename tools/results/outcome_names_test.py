"""The names of outcomes are those of docs/data/outcomes.md, each is read back, and no failure is called a pass."""

import re
import unittest

from tools.results import outcome_names, record
from tools.results.outcome_names import OPENXLA, PYTORCH_XLA, PYTORCH_XLA_2024, TORCH_DYNAMO

SUITES = (PYTORCH_XLA, PYTORCH_XLA_2024, TORCH_DYNAMO, OPENXLA)


class OutcomeNamesTest(unittest.TestCase):
    def test_names_are_those_of_the_documents_table(self):
        with open("docs/data/outcomes.md", encoding="utf-8") as f:
            rows = re.findall(r"^\| ([A-Z_, ]+) \| ([012]) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$", f.read(), re.M)
        seen = set()
        for outcomes, exit_code, *cells in rows:
            for outcome in outcomes.split(", "):
                seen.add(outcome)
                self.assertEqual([outcome_names.name_in(suite, outcome) for suite in SUITES], cells, outcome)
            if exit_code != "0":
                for suite, name in zip(SUITES, cells):
                    self.assertNotEqual(name, outcome_names.name_in(suite, "PASS"), outcomes)
        self.assertEqual(seen, record.OUTCOMES)

    def test_the_document_explains_each_outcome(self):
        with open("docs/data/outcomes.md", encoding="utf-8") as f:
            explained, names = f.read().split("## Names of other suites")
        rows = re.findall(r"^\| ([A-Z_]+) \| ([012]) \| .{10,} \| .{6,} \|$", explained, re.M)
        self.assertEqual(sorted(outcome for outcome, _ in rows), sorted(record.OUTCOMES))
        codes = {outcome: code for outcomes, code in re.findall(r"^\| ([A-Z_, ]+) \| ([012]) \|", names, re.M) for outcome in outcomes.split(", ")}
        self.assertEqual(dict(rows), codes)

    def test_each_name_is_read_as_an_outcome_that_is_written_the_same(self):
        for suite in SUITES:
            for outcome in record.OUTCOMES:
                name = outcome_names.name_in(suite, outcome)
                self.assertEqual(outcome_names.name_in(suite, outcome_names.from_name_in(suite, name)), name)

    def test_finer_names_are_read(self):
        for name, outcome in (
            ("not_bitwise_equivalent", "FAIL_ACCURACY"),
            ("fail_batch_invariance_at_8", "FAIL_ACCURACY"),
            ("eager_1st_run_OOM", "OUT_OF_MEMORY"),
            ("eager_2nd_run_OOM", "OUT_OF_MEMORY"),
            ("eager_1st_run_fail", "CRASH"),
            ("eager_2nd_run_fail", "CRASH"),
            ("eager_fail_to_run", "CRASH"),
            ("model_fail_to_load", "CRASH"),
        ):
            self.assertEqual(outcome_names.from_name_in(TORCH_DYNAMO, name), outcome, name)

    def test_other_names_are_not(self):
        for name in ("fail_batch_invariance_at_", "fail_batch_invariance_at_0", "fail_batch_invariance_at_x", "PASS", ""):
            self.assertIsNone(outcome_names.from_name_in(TORCH_DYNAMO, name), name)
        self.assertIsNone(outcome_names.from_name_in(PYTORCH_XLA, "pass"))


if __name__ == "__main__":
    unittest.main()
