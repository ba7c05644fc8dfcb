"""pytorch/xla's reports against pandas, which reads the same lines by itself and is told the rules in these tests' words."""

import os
import unittest

import numpy as np
import pandas

from tools.report import fixtures

_TITLES = {"inductor": "Inductor", "openxla+dynamo": "XLA+Dynamo", "openxla+lazytensor": "XLA+LazyTensor"}


_METRICS = ("exec", "compile")


def time_of(samples, metric):
    """(time, deviation): the mean from the fourth sample on, or how much longer the first took than the mean of the others."""
    if metric == "exec":
        later = pandas.Series(samples[3:], dtype=float)
        return later.mean(), later.std() if len(later) > 1 else 0.0
    compiling = samples[0] - pandas.Series(samples[1:], dtype=float).mean() if samples else float("nan")
    return (compiling, 0.0) if compiling > 0 else (float("nan"), 0.0)


def frame(rows, metric):
    """A row for each line that passed and has such a time."""
    names = {xla: name for name, xla in fixtures.BACKENDS.items()}
    kept = []
    for row in rows:
        if row["verification_code"] == "PASS":
            e, time = row["experiment"], time_of(row["metrics"].get("total_time", []), metric)
            kept.append((row["timestamp"], names[e["dynamo"], e["xla"]], row["model"]["model_name"], e["batch_size"], *time))
    return pandas.DataFrame(kept, columns=["when", "backend", "model", "batch", "time", "std"]).dropna()


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
        self.rows[-2]["metrics"]["total_time"][0] = 0.0  # nothing was compiled
        self.write("results.jsonl", *self.rows)
        self.models = {metric: speedups(frame(self.rows, metric)) for metric in _METRICS}

    def each_metric(self):
        for metric in _METRICS:
            with self.subTest(metric):
                yield metric, self.models[metric]

    def numbers(self, cells, wanted):
        np.testing.assert_allclose([float(c) if c else np.nan for c in cells], wanted, rtol=0, atol=6e-9)

    def test_latest_ranks_the_last_campaign(self):
        wanted = ["# Workload"]
        for title in _TITLES.values():
            wanted += ["Speedup(%s/Oldest Inductor)" % title, "StdDev", "ModelName(%s)" % title]
        for metric, models in self.each_metric():
            head, *rows = self.csv("results.jsonl", "--report=latest", "--metric=" + metric)
            self.assertEqual(head[:10], wanted)
            last = models[models.when == fixtures.MOMENTS[-1]]
            self.assertEqual(len(rows), 5)
            for place, backend in enumerate(_TITLES):
                ranked = last[last.backend == backend].sort_values("speedup")
                cells = [row[1 + 3 * place : 4 + 3 * place] for row in rows]
                self.assertEqual([c[2] for c in cells if c[2]], list(ranked.model))
                self.numbers([c[0] for c in cells if c[0]], ranked.speedup)
                self.numbers([c[1] for c in cells if c[1]], ranked["std"])

    def test_latest_grouped_names_each_model_once_and_ends_with_the_mean_over_the_same_models(self):
        for metric, models in self.each_metric():
            head, *rows = self.csv("results.jsonl", "--report=latest_grouped", "--metric=" + metric)
            self.assertEqual(head[:3], ["# ModelName", "Speedup(Inductor/Oldest Inductor)", "StdDev"])
            names = ["alexnet", "Background_Matting", "BERT_pytorch", "hf_GPT2", "resnet50"]
            self.assertEqual([row[0] for row in rows], [*names, "GEOMEAN"])
            last, wanted = models[models.when == fixtures.MOMENTS[-1]], means(models)
            for place, backend in enumerate(_TITLES):
                cells = [row[1 + 2 * place : 3 + 2 * place] for row in rows]
                mine = last[last.backend == backend].set_index("model").reindex(names)
                self.numbers([c[0] for c in cells[:-1]], mine.speedup)
                self.numbers([c[1] for c in cells[:-1]], mine["std"])
                mean, error, count = wanted[fixtures.MOMENTS[-1], backend]
                self.numbers(cells[-1], [mean, error])
                self.assertLess(count, 5)  # hf_GPT2 at least is not among them

    def test_speedup_over_time(self):
        moments = ["2023-11-11 05:32:18.723407", "2023-11-12 05:32:18", "2023-11-13 05:32:18.500000"]
        for metric, models in self.each_metric():
            for baseline in ("oldest", "latest"):
                wanted = means(models if baseline == "oldest" else speedups(frame(self.rows, metric), "latest"))
                head, *rows = self.csv("results.jsonl", "--report=speedup", "--metric=" + metric, "--baseline=" + baseline)
                self.assertEqual(head[:2], ["# Datetime(UTC)", "Speedup(Inductor/%s Inductor)" % baseline.capitalize()])
                self.assertEqual([row[0] for row in rows], moments)
                for moment, row in zip(fixtures.MOMENTS, rows):
                    for place, backend in enumerate(_TITLES):
                        self.numbers(row[1 + 2 * place : 3 + 2 * place], wanted[moment, backend][:2])
                    self.assertEqual(int(row[-1]), wanted[moment, "inductor"][2])

    def test_histogram_is_of_percentiles(self):
        for metric, models in self.each_metric():
            head, *rows = self.csv("results.jsonl", "--report=histogram", "--metric=" + metric)
            self.assertEqual(head[:4], ["# Datetime(UTC)", "Inductor p95", "Inductor p50", "Inductor p5"])
            for moment, row in zip(fixtures.MOMENTS, rows):
                for place, backend in enumerate(_TITLES):
                    values = models[(models.when == moment) & (models.backend == backend)].speedup
                    self.numbers(row[1 + 3 * place : 4 + 3 * place], values.quantile([0.95, 0.5, 0.05]))

    def test_metrics_differ_and_need_other_samples(self):
        sizes = [len(frame(self.rows, metric)) for metric in _METRICS]
        both = len(set.intersection(*(set(frame(self.rows, metric).index) for metric in _METRICS)))
        self.assertEqual([size - both for size in sizes], [1, 1])  # one has no fourth sample, one compiled nothing

    def test_what_no_mean_has_is_counted_by_reason(self):
        failed = sum(r["verification_code"] != "PASS" and "error" not in r["metrics"] for r in self.rows)
        late = sum("error" in r["metrics"] for r in self.rows)
        for metric, _ in self.each_metric():
            (table,) = self.tables("results.jsonl", "--report=speedup", "--metric=" + metric)
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


class OtherModelsTest(fixtures.ReportTest):
    def notes(self, report, *campaigns):
        """Notes of campaigns, of which each is a list of models, or of models and batch sizes."""
        rows = []
        for day, models in enumerate(campaigns):
            for model, (dynamo, xla) in ((m, b) for m in models for b in (("inductor", None), ("openxla", "PJRT"))):
                name, batch = model if isinstance(model, tuple) else (model, 8)
                experiment = {"accelerator": "cuda", "accelerator_model": "A100", "xla": xla, "dynamo": dynamo, "test": "eval"}
                rows.append({"model": {"suite_name": "torchbench", "model_name": name}, "experiment": {**experiment, "batch_size": batch}})
                rows[-1] |= {"repeat": 5, "iterations_per_run": 1, "timestamp": 1725000000.0 + 1e5 * day, "verification_code": "PASS"}
                rows[-1]["metrics"] = {"total_time": [1.0] * 5, "per_iter_time": [1.0] * 5}
        self.write("results.jsonl", *rows)
        (table,) = self.tables("results.jsonl", "--report=" + report)
        return table["notes"][:-1]

    def test_figures_of_other_models_are_noted_and_of_the_same_ones_not(self):
        models = "the campaigns have other models: %s; --filter chooses the same ones"
        for report in ("speedup", "histogram"):
            with self.subTest(report):
                self.assertEqual(self.notes(report, ["a", "b"], ["b", "a"]), [])
                self.assertIn(models % "2 each, 1 that all of them have: b", self.notes(report, ["a", "b"], ["b", "c"])[-1])
                found = self.notes(report, ["a", "b"], ["a", "b"], ["a", "b", "c"])[-1]
                self.assertEqual(found, models % "2 to 3 each, 2 that all of them have: a, b")
                for common, shown in (("abcde", "a, b, c, d, e"), ("abcdef", "a, b, c, d, e, …")):
                    found = self.notes(report, [*common, "y"], [*common, "z"])[-1]
                    self.assertEqual(found, models % "%d each, %d that all of them have: %s" % (len(common) + 1, len(common), shown))
                self.assertIn(models % "1 each, 0 that all of them have", self.notes(report, ["a"], ["b"], ["a"])[-1])
                found = self.notes(report, [("a", 8)], [("a", 8), ("a", 16)])[-1]
                self.assertEqual(found, "the campaigns have other batch sizes or data types of the same models")


if __name__ == "__main__":
    unittest.main()
