"""pytorch/xla's reports against pandas, which reads the same lines by itself and is told the rules in these tests' words."""

import os
import unittest

import numpy as np
import pandas

from tools.report import fixtures

_TITLES = {"inductor": "Inductor", "openxla+dynamo": "XLA+Dynamo", "openxla+lazytensor": "XLA+LazyTensor"}


def frame(rows):
    """A row for each line that passed and has a fourth sample: its mean from there on, and their deviation."""
    names = {xla: name for name, xla in fixtures.BACKENDS.items()}
    kept = []
    for row in rows:
        times = row["metrics"].get("total_time", [])
        if row["verification_code"] == "PASS" and len(times) > 3:
            e = row["experiment"]
            later = pandas.Series(times[3:])
            kept.append(
                (
                    row["timestamp"],
                    names[e["dynamo"], e["xla"]],
                    row["model"]["model_name"],
                    e["batch_size"],
                    later.mean(),
                    later.std() if len(later) > 1 else 0.0,
                )
            )
    return pandas.DataFrame(kept, columns=["when", "backend", "model", "batch", "time", "std"])


def speedups(table, baseline="oldest"):
    """By campaign, back end and model: geometric mean over batch sizes."""
    base = table[table.backend == "inductor"].sort_values("when")
    if baseline == "latest":
        base = base[base.when == table.when.max()]
    base = base.groupby(["model", "batch"]).first()[["time", "std"]].add_suffix("_base")
    joined = table.join(base, on=["model", "batch"], how="inner")
    joined["speedup"] = joined.time_base / joined.time
    joined["relative"] = np.sqrt((joined["std"] / joined.time) ** 2 + (joined.std_base / joined.time_base) ** 2)
    grouped = joined.groupby(["when", "backend", "model"])
    value = grouped.speedup.apply(lambda s: s.prod() ** (1 / len(s)))
    error = grouped.relative.apply(lambda r: (r**2).sum() ** 0.5 / len(r)) * value
    return pandas.DataFrame({"speedup": value, "std": error}).reset_index()


def means(models):
    """By campaign and back end, over the models that all of the campaign's back ends have."""
    made = {}
    for when, day in models.groupby("when"):
        wide = day.pivot(index="model", columns="backend", values="speedup").dropna()
        relative = day.assign(r=day["std"] / day.speedup).pivot(index="model", columns="backend", values="r").loc[wide.index]
        for backend in wide:
            mean = np.exp(np.log(wide[backend]).mean())
            made[when, backend] = (mean, mean * np.sqrt((relative[backend] ** 2).sum()) / len(wide), len(wide))
    return made


class TrendsTest(fixtures.ReportTest):
    def setUp(self):
        super().setUp()
        self.rows = fixtures.xla_rows()
        self.write("results.jsonl", *self.rows)
        self.models = speedups(frame(self.rows))

    def numbers(self, cells, wanted):
        np.testing.assert_allclose([float(c) if c else np.nan for c in cells], wanted, rtol=0, atol=6e-9)

    def test_latest_ranks_the_last_campaign(self):
        head, *rows = self.csv("results.jsonl", "--report=latest")
        wanted = ["# Workload"]
        for title in _TITLES.values():
            wanted += ["Speedup(%s/Oldest Inductor)" % title, "StdDev", "ModelName(%s)" % title]
        self.assertEqual(head[:10], wanted)
        last = self.models[self.models.when == fixtures.MOMENTS[-1]]
        self.assertEqual(len(rows), 5)
        for place, backend in enumerate(_TITLES):
            ranked = last[last.backend == backend].sort_values("speedup")
            cells = [row[1 + 3 * place : 4 + 3 * place] for row in rows]
            self.assertEqual([c[2] for c in cells if c[2]], list(ranked.model))
            self.numbers([c[0] for c in cells if c[0]], ranked.speedup)
            self.numbers([c[1] for c in cells if c[1]], ranked["std"])

    def test_latest_grouped_names_each_model_once_and_ends_with_the_mean_over_the_same_models(self):
        head, *rows = self.csv("results.jsonl", "--report=latest_grouped")
        self.assertEqual(head[:3], ["# ModelName", "Speedup(Inductor/Oldest Inductor)", "StdDev"])
        self.assertEqual(
            [row[0] for row in rows], ["alexnet", "Background_Matting", "BERT_pytorch", "hf_GPT2", "resnet50", "GEOMEAN"]
        )
        wanted = means(self.models)
        for place, backend in enumerate(_TITLES):
            mean, error, count = wanted[fixtures.MOMENTS[-1], backend]
            self.numbers(rows[-1][1 + 2 * place : 3 + 2 * place], [mean, error])
            self.assertLess(count, 5)  # hf_GPT2 at least is not among them

    def test_speedup_over_time(self):
        for baseline in ("oldest", "latest"):
            models = self.models if baseline == "oldest" else speedups(frame(self.rows), "latest")
            wanted = means(models)
            head, *rows = self.csv("results.jsonl", "--report=speedup", "--baseline=" + baseline)
            self.assertEqual(head[:2], ["# Datetime(UTC)", "Speedup(Inductor/%s Inductor)" % baseline.capitalize()])
            self.assertEqual(
                [row[0] for row in rows], ["2023-11-11 05:32:18.723407", "2023-11-12 05:32:18", "2023-11-13 05:32:18.500000"]
            )
            for moment, row in zip(fixtures.MOMENTS, rows):
                for place, backend in enumerate(_TITLES):
                    self.numbers(row[1 + 2 * place : 3 + 2 * place], wanted[moment, backend][:2])
                self.assertEqual(int(row[-1]), wanted[moment, "inductor"][2])

    def test_histogram_is_of_percentiles(self):
        head, *rows = self.csv("results.jsonl", "--report=histogram")
        self.assertEqual(head[:4], ["# Datetime(UTC)", "Inductor p95", "Inductor p50", "Inductor p5"])
        for moment, row in zip(fixtures.MOMENTS, rows):
            for place, backend in enumerate(_TITLES):
                values = self.models[(self.models.when == moment) & (self.models.backend == backend)].speedup
                self.numbers(row[1 + 3 * place : 4 + 3 * place], values.quantile([0.95, 0.5, 0.05]))

    def test_metric_compile(self):
        rows = [r for r in self.rows if r["experiment"]["dynamo"] == "inductor" and r["verification_code"] == "PASS"]
        first = {}
        for row in rows:
            times = row["metrics"].get("total_time", [])
            if len(times) > 1 and row["timestamp"] == fixtures.MOMENTS[0]:
                first[row["model"]["model_name"], row["experiment"]["batch_size"]] = times[0] - np.mean(times[1:])
        got = self.csv("results.jsonl", "--report=speedup", "--metric=compile", "--backends=inductor")
        self.numbers(got[1][1:2], [1.0])
        self.assertTrue(first)
        self.assertGreater(float(got[3][1]), 1.1)  # each campaign's times are nine tenths of those before

    def test_what_no_mean_has_is_counted_by_reason(self):
        failed = sum(r["verification_code"] != "PASS" and "error" not in r["metrics"] for r in self.rows)
        late = sum("error" in r["metrics"] for r in self.rows)
        (table,) = self.tables("results.jsonl", "--report=speedup")
        self.assertEqual(table["left_out"], {"FAIL_ACCURACY": failed, "TIMEOUT": late, "no time": 1})
        self.assertIn("left out of every mean: %d of the runs" % (failed + late + 1), table["notes"][-1])

    def test_intervals_hold_the_means_and_of_a_run_with_itself_the_ratio_is_one(self):
        (table,) = self.tables("results.jsonl", "--report=speedup")
        for place, row in enumerate(table["rows"]):
            for backend, (value, low, high) in enumerate(zip(row[1:7:2], row[7:13:2], row[8:13:2])):
                if (place, backend) == (1, 1):
                    self.assertIsNone(low)  # one of its parts is one sample
                    continue
                self.assertLess(low, value)
                self.assertLess(value, high)

    def test_filters(self):
        words = ("results.jsonl", "--report=latest_grouped", "--backends=inductor,openxla+dynamo")
        names = lambda *more: [row[0] for row in self.csv(*words, *more)[1:-1]]
        self.assertEqual(names("-k", "BERT", "-k", "^alex"), ["alexnet", "BERT_pytorch"])
        self.assertEqual(names("-x", "BERT", "-x", "^alex"), ["Background_Matting", "hf_GPT2", "resnet50"])
        self.assertEqual(names("--filter-by-tier=1"), ["BERT_pytorch", "hf_GPT2"])
        self.expect(2, *words, "--test=training")
        self.assertIn("nothing to report", self.err)

    def test_pictures_are_the_same_twice_and_of_their_kind(self):
        self.assertIn(
            "Speedup over the Oldest Inductor", self.expect(0, "results.jsonl", "--report=latest_grouped", "--format=ascii")
        )
        for form, magic in (("svg", b"<?xml"), ("png", b"\x89PNG")):
            written = []
            for name in ("a", "b"):
                self.expect(0, "results.jsonl", "--report=speedup", "--format=" + form, "--out=" + name)
                with open(self.path(name), "rb") as f:
                    written.append(f.read())
            self.assertEqual(*written)
            self.assertTrue(written[0].startswith(magic))
        self.assertEqual(sorted(os.listdir(self.folder)), ["a", "b", "results.jsonl"])


if __name__ == "__main__":
    unittest.main()
