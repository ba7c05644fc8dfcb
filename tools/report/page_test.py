"""The page as a file: what is in it, and what never is. That it works in a browser: page_browser_test.py."""

import json
import os
import re
import unittest
from unittest import mock

import numpy as np

from artifacts.fetch.secret_table import SECRET, with_secrets
from tools.report import fixtures
from tools.report import page as page_module
from tools.report.program_test import suite, timed

_HOSTILE = "<script>alert(1)</script></script>\"'&<!--" + "x" * 10000


def data(page):
    return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S).group(1))


class PageTest(fixtures.ReportTest):
    def page(self, *words):
        self.expect(0, *words, "--out=page.html")
        return self.read("page.html")

    def test_it_ends_with_the_pages_path(self):
        os.mkdir(self.path("out"))
        self.write("out/results.jsonl", *suite("mlp"))
        self.assertEqual(self.expect(0, "out").splitlines()[-1], self.path("out/report.html"))
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["report.html", "results.jsonl", "results.sqlite"])

    def test_one_file_that_asks_for_nothing(self):
        self.write("a.jsonl", *suite("mlp"))
        page = self.page("a.jsonl")
        policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page).group(1)
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("script-src 'unsafe-inline'", policy)
        self.assertFalse(re.findall(r"<(?:script|img|iframe|link)\b[^>]+(?:src|href)=", page.replace(data_of(page), "")))
        self.assertLess(len(page), 5200000)

    def test_the_same_results_give_the_same_page(self):
        self.write("a.jsonl", *suite("mlp", "bert"))
        self.assertEqual(self.page("a.jsonl"), self.page("a.jsonl"))

    def test_a_figure_that_one_run_has_is_shown(self):
        with_flops, without = timed("mlp", 100, 99, 101), timed("bert", 100, 99, 101)
        with_flops["measurements"][0]["flops_per_call"] = 5000.0
        without["measurements"][0].pop("flops_per_call", None)
        self.write("a.jsonl", with_flops, without)
        figures = data(self.page("a.jsonl"))["figures"]
        self.assertIn("flops_per_call", figures["names"])

    def test_a_hostile_name_stays_within_the_data(self):
        self.write("a.jsonl", *suite(_HOSTILE))
        page = self.page("a.jsonl")
        self.assertEqual(page.count("alert(1)</script>"), 0)
        names = data(page)["cases"]["case"]
        self.assertTrue(names[0].startswith("<script>alert(1)<"), names[0])
        self.assertLess(max(map(len, names)), 400)

    def test_no_folder_no_secret(self):
        run = timed(
            "mlp",
            100,
            99,
            101,
            benchmark_case__model="mlp",
            outcome="CRASH",
            error="no /home/somebody/lib.so; HF_TOKEN=hf_abcdef",
        )
        run["flags"] = [
            "--device=cpu",
            "--record=/home/somebody/runs.jsonl",
            "--weights=/home/somebody/me.safetensors",
            "--api-key=abcdef",
        ]
        run["environment"]["variables"] = {"LD_PRELOAD": "/home/somebody/fast.so"}
        self.write("a.jsonl", run)
        page = self.page("a.jsonl")
        for never in ("somebody", "abcdef", self.folder):
            self.assertNotIn(never, data_of(page))
        self.assertEqual(
            data(page)["cases"]["command"],
            ["tools/bazel run //benchmarks/mlp:mlp_fp32_b1 -- --device=cpu '--weights=…/me.safetensors' '--api-key=***'"],
        )

    def test_no_form_of_a_secret(self):
        runs = []
        for i, form in enumerate(with_secrets()):
            run = timed("model_%d" % i, 100, 99, 101, benchmark_case__model="model_%d" % i, outcome="CRASH", error=form)
            run["flags"] = ["--tag=" + form, "--token", "SeCrEt0"]
            run["environment"]["variables"] = {"LD_PRELOAD": form, "TORCH_X": form, "A_TOKEN": "SeCrEt0"}
            runs.append(run)
        self.write("a.jsonl", *runs)
        page = self.page("a.jsonl")
        self.assertEqual(len(data(page)["runs"]["message"]), len(runs))
        self.assertEqual([data_of(page)[m.start() - 80 : m.end()] for m in SECRET.finditer(data_of(page))], [])

    def test_a_start_is_known_to_the_millisecond(self):
        self.write("a.jsonl", *suite("mlp", started_utc="2026-11-22T00:00:01.23456+00:00"))
        self.assertEqual([round(seconds % 60, 6) for seconds in data(self.page("a.jsonl"))["runs"]["seconds"]], [1.235] * 2)

    def test_the_page_has_the_machines_of_its_runs_and_no_others(self):
        self.write("a.jsonl", *suite("mlp", environment__node="n1"), *suite("bert", environment__node="n2"))
        for words, nodes in (([], ["n1", "n2"]), (["--machine=n2"], ["n2"])):
            machines = data(self.page("a.jsonl", *words))["machines"]
            self.assertEqual([values[machines["names"].index("node")] for values in machines["of"].values()], nodes)

    def test_figures_are_those_of_the_tables(self):
        self.write("a.jsonl", *suite("mlp", "bert"))
        made = data(self.page("a.jsonl"))
        self.assertEqual(made["cases"]["speedup"], [None, 2.0, None, 2.0])
        self.assertEqual(made["facts"], {"runs": 4, "configurations": 4, "machines": 1, "campaigns": 1})
        self.assertEqual([t["title"] for t in made["tables"]][:2], ["Summary", "Stability"])

    def test_figures_of_a_run_that_are_no_times_are_among_its_details(self):
        runs = suite("mlp", "mlp", "mlp")
        for number, run in enumerate(runs):
            run["measurements"][0].update(flops_per_call=500.0, peak_host_bytes=str(number << 40))
        self.write("a.jsonl", *runs)
        figures = data(self.page("a.jsonl"))["figures"]
        names = figures["names"]
        self.assertTrue({"flops_per_call", "calls_per_sample", "peak_host_bytes"} <= set(names), names)
        self.assertFalse({"median_ns", "elapsed_s", "injected_share", "operators_per_call"} & set(names), names)
        for values in figures["of"].values():
            self.assertEqual(dict(zip(names, values))["flops_per_call"], 500.0)
        self.assertIn(float("%.6g" % (len(runs) - 1 << 40)), [values[names.index("peak_host_bytes")] for values in figures["of"].values()])

    def test_a_change_is_marked_where_the_level_of_the_campaigns_has_changed(self):
        def runs(medians, each=1):
            moments = ["2026-11-%02dT00:%02d:00+00:00" % (1 + day, i) for day in range(len(medians)) for i in range(each)]
            return [timed("mlp", *(m * f for f in (1, 0.99, 1.01)), started_utc=at) for m, at in zip(np.repeat(medians, each).tolist(), moments)]

        step = [100.0 + 0.1 * (7 * i % 5) + 10 * (i >= 10) for i in range(20)]
        self.write("step.jsonl", *runs(step))
        self.assertEqual(data(self.page("step.jsonl"))["runs"]["changes"], [10])
        # Many runs of two days are two points, however far apart the days are.
        self.write("days.jsonl", *runs([100.0, 110.0], each=20))
        self.assertEqual(data(self.page("days.jsonl"))["runs"]["changes"], [])

    def test_a_configuration_takes_few_bytes_and_samples_have_a_budget(self):
        runs = []
        for i in range(20):
            runs += suite("model_with_a_long_name_%d" % i)
            runs += suite("model_with_a_long_name_%d" % i, started_utc="2026-11-24T00:00:00+00:00")
        for run in runs:
            run["measurements"][0]["samples_ns"] = list(range(100000000, 100000400))
        self.write("a.jsonl", *runs)
        with mock.patch.object(page_module, "_SAMPLE_BYTES", 20000):
            made = data(self.page("a.jsonl"))
        self.assertEqual((len(made["cases"]["case"]), len(made["runs"]["case"])), (40, 80))
        samples = len(json.dumps(made.pop("samples"), separators=(",", ":")))
        self.assertTrue(15000 < samples < 25000, samples)
        of_cases = len(json.dumps([made["cases"], made["runs"]], separators=(",", ":")))
        self.assertLess(of_cases, 40 * 420)
        self.assertIn("of a run's samples at most 41 are here", " ".join(made["notes"]))


def data_of(page):
    return page[page.index('<script id="data"') : page.index("</script>", page.index('<script id="data"'))]


if __name__ == "__main__":
    unittest.main()
