"""//tools:report makes a page of a suite's own results, and the page works in a browser."""

import os
import shutil

from ci.check import BAZEL, Check, program

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


class Report(Check):
    def test_from_suite_to_page(self):
        """report: a suite's run with --report fills its database and ends with the page's path"""
        out = os.path.join(self.scratch, "out")
        done = self.expect(program("//tools:run_suite", "--only=mlp_fp32_b1", "--backend=eager", "--backend=torchscript", "--preset=quick",
                                   "--report", "--out=" + out), "Summary")
        self.assertEqual(done.stdout.splitlines()[-1], os.path.join(out, "report.html"))
        self.assertLess({"report.html", "results.jsonl", "results.sqlite"}, set(os.listdir(out)))
        # Whether samples are FLAGGED, and so enter means, is up to the machine; the rows are there.
        self.expect(program("//tools:report", out, "--report=summary", "--format=csv"), "assay,fp32,inference,torchscript")

    def test_plot_of_a_case(self):
        """report: --plot draws the samples of a case, and makes a page of it"""
        for form, begin in (("svg", "<?xml"), ("html", "<!DOCTYPE html>")):
            path = os.path.join(self.scratch, "case." + form)
            self.expect(program("//benchmarks/mlp:mlp_fp32_b1", "--budget=0.05", "--modes=wall", "--plot=" + path), "plot      " + path)
            self.assertTrue(self.read(path).startswith(begin))

    def test_plot_of_a_comparison(self):
        """report: compare --plot draws what it found"""
        for form, begin in (("svg", "<?xml"), ("html", "<!DOCTYPE html>")):
            path = os.path.join(self.scratch, "ratios." + form)
            self.expect(program("//tools:compare", "--baseline=//benchmarks/mlp:mlp_fp32_b1", "--aa", "--pairs=4", "--extra-rounds=0", "--budget=0.05",
                                "--flagged=keep", "--plot=" + path), path)
            self.assertTrue(self.read(path).startswith(begin))

    def test_page(self):
        """report: the page sorts, filters and opens a configuration in a real Chromium, with nothing in its console"""
        if not any(map(shutil.which, _BROWSERS)):
            self.skipTest("no Chromium on PATH: apt-get install chromium")
        self.expect([BAZEL, "test", "--test_output=errors", "//tools/report:page_browser_test"])
