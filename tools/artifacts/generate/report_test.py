"""The estimate of what is left follows the work."""

import math
import unittest

from tools.artifacts.generate import report


class ReportTest(unittest.TestCase):
    def test_the_estimate_follows_the_share_of_the_work(self):
        now = [100.0]
        progress = report.Progress(4, clock=lambda: now[0])
        self.assertEqual("[0 of 4]", progress.text())
        now[0] += 30
        progress.add()
        self.assertEqual("[1 of 4, about 1 min 30 s left]", progress.text())
        for _ in range(3):
            progress.add()
        self.assertEqual("[4 of 4]", progress.text())

    def test_drifts_are_short(self):
        self.assertEqual(["-", "0", "1.2e-13", "inf"], [report.drift_text(d) for d in (math.nan, 0.0, 1.2e-13, math.inf)])

    def test_what_the_cpu_cannot_compute_is_said(self):
        figures = {"y": {"std": 1.0, "fp32": [1e-7, 1e-6], "fp16": "no kernel", "bf16": [1e-2, 1e-1], "sensitivity": [900.4, "w"]}}
        text = report.quality_text("toy", figures)
        self.assertIn("not on CPU", text)
        self.assertIn("900 (w)", text)


if __name__ == "__main__":
    unittest.main()
