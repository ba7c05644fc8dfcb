"""The table of thresholds counts what its pairs and simulations say."""

import unittest

from ci.figures import thresholds


def compared(pairs, verdict="SLOWER", estimate=None, reason=""):
    pairs = [{"baseline_ns": b, "candidate_ns": c} for b, c in pairs]
    return {"series": [{"pairs": pairs, "verdict": verdict, "reason": reason, "estimate": estimate}]}


class ThresholdsTest(unittest.TestCase):
    def test_the_later_half_is_judged_by_the_earlier_one(self):
        first = [(100, 900), (90, 900), (110, 900), (100, 900)]
        later = [(500, 119), (500, 121), (500, 136), (500, 90)]
        estimate = {"interval": [1.021, None]}
        self.assertEqual(thresholds.real_row(compared(first + later, estimate=estimate)), ([0.5, 0.25], "SLOWER", "+2.1 % .. open", 4))

    def test_a_comparison_that_was_refused(self):
        pairs = [(100, 100), (None, 100), (100, 150)]
        self.assertEqual(thresholds.real_row(compared(pairs, "NOT_COMPARED", reason="flagged")), ([1.0, 1.0], "NOT_COMPARED", "flagged", 1))
        with self.assertRaisesRegex(ValueError, "too few pairs: flagged"):
            thresholds.real_row(compared([(100, 100)], reason="flagged"))

    def test_the_table(self):
        found = [
            {"noise": "normal", "effect": 0.02, "above_20": 0.0, "above_35": 0.0, "slower": 0.999},
            {"noise": "spells", "effect": 0.02, "above_20": 0.0125, "above_35": 0.0, "slower": 0.98},
        ]
        rows = thresholds.simulated_rows(found)
        real = {2: ([0.5, 0.25], "SLOWER", "+1.0 % .. +3.0 %", 4)}
        head, _, row = thresholds.table(rows, real).splitlines()
        self.assertEqual(row, "| 2 % | 0 to 1.25 % | 0 % | 98 to 99.9 % | 2 of 4 | 1 of 4 | SLOWER, +1.0 % .. +3.0 % |")
        self.assertEqual(head.count("|"), row.count("|"))
        self.assertEqual(thresholds.table(rows, {}).splitlines()[2].count("|"), head.count("|"))


if __name__ == "__main__":
    unittest.main()
