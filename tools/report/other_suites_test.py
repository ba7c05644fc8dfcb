"""The reports of TorchDynamo, Intel, OpenXLA, TorchBench and pytorch/xla's analyzer against pandas, which reads the same files by
itself and is told each suite's rules in these tests' words."""

import io
import itertools
import json
import unittest

import numpy as np
import pandas

from tools.report import fixtures
from tools.report.program_test import timed

_COMPILERS = ("aot_eager", "inductor")


def joined(files, *stem):
    """A row for each model of one of the runner's pairs of files: its accuracy and its figures, empty where a file lacks it."""
    accuracy, times = (pandas.read_csv(io.StringIO(files["_".join([*stem, part])])) for part in ("accuracy.csv", "performance.csv"))
    return times.merge(accuracy, on="name", how="outer", suffixes=("", "_verified")).set_index("name")


def pass_rate(table):
    """The share of the models that were run, without the skipped ones. A model without an accuracy has not passed."""
    run = table[table.accuracy != "pass_due_to_skip"]
    passed = (run.accuracy == "pass").sum()
    return "%.0f %%, %d/%d" % (100 * passed / len(run), passed, len(run))


def usable(table):
    """TorchDynamo sets the figures of a model to nothing whose accuracy failed."""
    return table[(table.accuracy == "pass") & (table.speedup > 0)]


class DynamoTest(fixtures.ReportTest):
    def setUp(self):
        super().setUp()
        self.files = fixtures.dynamo_files(["huggingface"], ["float32", "amp_bf16"], ["inference", "training"], _COMPILERS, "cuda")
        for name, text in self.files.items():
            self.write(name, text.encode())
        self.tables_of = {
            (dtype, mode, compiler): joined(self.files, compiler, "huggingface", dtype, mode, "cuda")
            for dtype, mode, compiler in itertools.product(("float32", "amp_bf16"), ("inference", "training"), _COMPILERS)
        }

    def same(self, dtype, mode):
        """The models that both compilers have figures of."""
        first, second = (set(usable(self.tables_of[dtype, mode, compiler]).index) for compiler in _COMPILERS)
        self.assertNotEqual(first, second)
        return sorted(first & second)

    def test_summary(self):
        (summary, _) = self.tables(*self.files, "--report=summary")
        rows = [dict(zip(summary["columns"], row)) for row in summary["rows"]]
        self.assertEqual(len(rows), 8)
        for row in rows:
            dtype = {"fp32": "float32", "fp32+amp_bf16": "amp_bf16"}[row["Dtype"]]
            table = self.tables_of[dtype, row["Mode"], row["Backend"]]
            chosen = table.loc[self.same(dtype, row["Mode"])]
            self.assertEqual(row["Pass rate"], pass_rate(table))
            self.assertEqual(row["Skipped"], (table.accuracy == "pass_due_to_skip").sum())
            self.assertEqual(row["Models"], len(chosen))
            self.assertAlmostEqual(row["Geomean speedup"], np.exp(np.log(chosen.speedup).mean()), places=9)
            self.assertAlmostEqual(row["Mean compile s"], chosen.compilation_latency.mean(), places=9)
            self.assertAlmostEqual(row["Mean compression"], chosen.compression_ratio.mean(), places=9)
        self.assertTrue(any(row["Geomean speedup"] < 1.4 for row in rows))

    def test_warnings(self):
        (_, warnings) = self.tables(*self.files, "--report=summary")
        wanted = []
        for table in self.tables_of.values():
            failed = table[~table.accuracy.isin(["pass", "pass_due_to_skip"])]
            wanted += ["accuracy did not pass"] * len(failed)
            good = usable(table)
            wanted += ["speedup below 0.95"] * (good.speedup < 0.95).sum()
            wanted += ["compiling above 120 s"] * (good.compilation_latency > 120).sum()
            wanted += ["compression below 0.9"] * (good.compression_ratio < 0.9).sum()
        self.assertEqual(sorted(row[4] for row in warnings["rows"]), sorted(wanted))
        self.assertEqual(len(set(wanted)), 4)


class IntelTest(fixtures.ReportTest):
    def test_combined(self):
        suites, dtypes, modes = ("huggingface", "timm_models", "torchbench"), ("float32", "bfloat16", "amp_fp16"), ("inference", "training")
        files = fixtures.dynamo_files(suites, dtypes, modes, ["inductor"], "xpu")
        for name, text in files.items():
            self.write(name, text.encode())
        (combined,) = self.tables(*files, "--report=combined")
        head = combined["columns"]
        self.assertEqual([c for c in head if "(" in c], ["Pass rate(inductor)", "Speedup(inductor)", "Low95(inductor)", "High95(inductor)"])
        said = {"float32": "fp32", "bfloat16": "bf16", "amp_fp16": "fp32+amp_fp16"}
        got = {tuple(row[1:4]): row for row in combined["rows"]}
        self.assertEqual(len(got), 18)
        for suite, dtype, mode in itertools.product(suites, dtypes, modes):
            table = joined(files, "inductor", suite, dtype, mode, "xpu")
            row = dict(zip(head, got[suite, said[dtype], mode]))
            self.assertEqual(row["Pass rate(inductor)"], pass_rate(table))
            self.assertAlmostEqual(row["Speedup(inductor)"], np.exp(np.log(usable(table).speedup).mean()), places=9)
            self.assertEqual(row["Models"], len(usable(table)))


class OpenXlaTest(fixtures.ReportTest):
    def test_targets(self):
        document = fixtures.openxla_document()
        self.write("openxla.json", json.dumps(document).encode())
        flat = pandas.json_normalize(document["benchmarks"])
        flat["model"] = flat["definition.benchmark_name"].str.split("/").str[1]
        flat["target"] = flat["definition.compiler"] + " " + flat["definition.device"]
        wanted = flat.pivot(index="model", columns="target", values="metrics.framework_level.median_latency_ms")
        for words, crosses in (([], False), (["--across"], True)):
            (table,) = self.tables("openxla.json", "--report=targets", "--unverified", *words)
            self.assertEqual({row[1] for row in table["rows"]}, set(wanted.index))
            first = None
            for column in (c for c in table["columns"] if c.startswith("Latency")):
                # With --across machines have no name, and the device tells.
                compiler = "inductor" if "inductor" in column else "xla"
                device = "a2-highgpu-1g" if "cuda" in column else "c2-standard-16"
                if not crosses:
                    self.assertIn(device, column)
                at, target = table["columns"].index(column), "%s %s" % (compiler, device)
                got = {row[1]: row[at] for row in table["rows"]}
                np.testing.assert_allclose([np.nan if got[m] is None else got[m] for m in wanted.index], wanted[target], rtol=1e-12)
                if first is None:
                    first = target
                    continue
                ratios = [row[at + 1] for row in sorted(table["rows"], key=lambda row: row[1])]
                same = crosses or target.split()[1] == first.split()[1]
                expected = wanted[target] / wanted[first] if same else wanted[target] * np.nan
                np.testing.assert_allclose([np.nan if r is None else r for r in ratios], expected, rtol=1e-12)
            self.assertEqual(table["left_out"], {"OUT_OF_MEMORY": 1})


class TorchBenchTest(fixtures.ReportTest):
    def test_stability(self):
        chance = np.random.default_rng(5)
        rows = [
            {"case": "case_%d" % case, "round": number, "median": float(100 * (1 + chance.uniform(0, 0.02 * (case + 1))))}
            for case in range(6)
            for number in range(20)
        ]
        started = "2026-11-23T00:%02d:00+00:00"
        made = [timed(r["case"], r["median"], r["median"], r["median"], benchmark_case__model=r["case"], started_utc=started % r["round"]) for r in rows]
        self.write("rounds.jsonl", *made)
        table = pandas.DataFrame(rows)
        last = table[table["round"] >= 5].groupby("case")["median"].agg(["min", "max", "size"])
        last["spread"] = (last["max"] - last["min"]) / last["min"]
        (got,) = self.tables("rounds.jsonl", "--report=stability")
        got = pandas.DataFrame(got["rows"], columns=got["columns"]).set_index("Case").loc[last.index]
        np.testing.assert_allclose(got[["Min ns", "Max ns", "Rounds", "(max-min)/min"]], last[["min", "max", "size", "spread"]], rtol=1e-12)
        self.assertEqual(list(got.State == "stable"), list(last.spread < 0.07))
        self.assertEqual(len(set(got.State)), 2)


class AnalyzerTest(fixtures.ReportTest):
    def test_metric_report(self):
        rows = fixtures.xla_rows()
        self.write("results.jsonl", *rows)
        self.expect(0, "results.jsonl", "--report=analyzer", "--out=metric_report.csv")
        got = pandas.read_csv(self.path("metric_report.csv"))
        self.assertEqual(len(got), len(rows))
        for (_, line), row in zip(got.iterrows(), rows):
            e, times = row["experiment"], pandas.Series(row["metrics"].get("total_time", []), dtype=float)
            self.assertEqual((line.model_name, line.batch_size, line.timestamp), (row["model"]["model_name"], e["batch_size"], row["timestamp"]))
            if not len(times):
                self.assertEqual((line.error_message, line.dynamo_compile_time), (row["metrics"]["error"], -1))
                continue
            compiling = times.max() - times.median()
            figures = [line.median_total_time, line.min_total_time, line.max_total_time, line.mean_total_time, line.std_total_time]
            figures += [line.xla_compile_time, line.dynamo_compile_time]
            wanted = [times.median(), times.min(), times.max(), times[1:].mean(), times[1:].std(ddof=0)]
            wanted += [compiling if e["xla"] else -1, compiling if e["dynamo"] else -1]
            np.testing.assert_allclose(figures, wanted, rtol=1e-12)


if __name__ == "__main__":
    unittest.main()
