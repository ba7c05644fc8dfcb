"""Files of other suites: what is imported and exported again has the same values, to the last bit."""

import copy
import csv
import json
import math
import os
import resource
import sqlite3
import subprocess
import sys
import unittest

from tools.results import headline
from tools.results import program  # noqa: F401  (the registry below needs the tree's data)
from tools.results.formats import document, registry, xla_jsonl
from tools.results.test_files import TESTDATA, ProgramTest, real_record, record

# file -> format
FILES = {
    "xla_2024_01.jsonl": "xla_jsonl",
    "xla_results.jsonl": "xla_jsonl",
    "inductor_huggingface_bfloat16_inference_cuda_performance.csv": "dynamo_csv",
    "inductor_huggingface_bfloat16_inference_cuda_accuracy.csv": "dynamo_accuracy_csv",
    "openxla.json": "openxla_json",
    "benchmark_result_4711_1700000000.json": "param",
    "google_benchmark.json": "google_benchmark",
    "hud.json": "pytorch_hud",
    "hud_lines.json": "pytorch_hud",
}


def parsed(text, form):
    """Everything that a file says, with numbers as Python reads them; texts of them, so that 1 is not 1.0."""
    if form.endswith("csv"):
        return list(csv.reader(text.splitlines()))
    if form in ("xla_jsonl", "param"):
        return [json.dumps(json.loads(line), sort_keys=True) for line in text.splitlines()]
    if form == "pytorch_hud":
        values = [json.loads(text)] if text.startswith("[\n") else [json.loads(line) for line in text.splitlines()]
        return [
            json.dumps(v, sort_keys=True) for value in values for v in (value if isinstance(value, list) else [value])
        ]
    return json.dumps(json.loads(text), sort_keys=True)


class MainMeasurement(unittest.TestCase):
    def test_it_is_of_the_step_that_stands_for_the_case(self):
        steps = [{"step": step, "mode": "wall"} for step in ("prefill", "decode", "generate")]
        self.assertEqual(document.main_measurement({"measurements": steps})["step"], "generate")
        steps[1]["headline"] = True
        self.assertEqual(document.main_measurement({"measurements": steps})["step"], "decode")

    def test_the_rank_of_a_step_is_the_same_in_sql(self):
        connection = sqlite3.connect(":memory:")
        self.addCleanup(connection.close)
        wanted = {"train_step": 1, "generate": 2, "forward": 3, "decode": 4, "": 4}
        for step, rank in wanted.items():
            for marked, want in ((True, 0), (False, rank), (None, rank)):
                sql = "SELECT %s FROM (SELECT ? AS step, ? AS headline)" % headline.RANK
                self.assertEqual(connection.execute(sql, (step, marked)).fetchone(), (want,))
                self.assertEqual(headline.rank(step, marked), want)


class RoundTripTest(ProgramTest):
    def test_what_was_imported_is_exported_with_the_same_values(self):
        for name, form in FILES.items():
            with self.subTest(name):
                self.copy(name)
                self.expect(0, "import", name, "--database=" + name + ".sqlite")
                self.assertIn(": %s, " % form, self.out)
                self.expect(0, "export", "--format=" + form, "--output=again", "--database=" + name + ".sqlite")
                self.assertEqual(parsed(self.read("again"), form), parsed(self.read(name), form))

    def test_through_this_suites_own_lines_too(self):
        for name, form in FILES.items():
            with self.subTest(name):
                self.copy(name)
                first, second = "--database=%s.1" % name, "--database=%s.2" % name
                self.expect(0, "import", name, first)
                self.expect(0, "export", "--format=assay", "--output=own.jsonl", first)
                self.expect(0, "import", "own.jsonl", second)
                self.assertIn("own.jsonl: assay", self.out)
                self.expect(0, "export", "--format=" + form, "--output=again", second)
                self.assertEqual(parsed(self.read("again"), form), parsed(self.read(name), form))

    def test_a_record_of_this_suite_comes_back_whole(self):
        self.write("runs.jsonl", real_record(), record(outcome="TIMEOUT", started_utc="2026-11-23T00:00:00+00:00"))
        self.expect(0, "import", "runs.jsonl")
        self.expect(0, "export", "--format=assay", "--output=again.jsonl")
        self.assertEqual(
            [json.loads(line) for line in self.read("again.jsonl").splitlines()],
            [json.loads(line) for line in self.read("runs.jsonl").splitlines()],
        )
        self.expect(0, "import", "again.jsonl")
        self.assertIn("0 new records, 2 known", self.out)

    def test_without_samples_the_rest_of_a_record_is_whole(self):
        self.write("runs.jsonl", real_record())
        self.expect(0, "import", "runs.jsonl")
        self.expect(0, "export", "--format=assay", "--output=again.jsonl", "--samples=no")
        want = real_record()
        for measurement in want["measurements"]:
            del measurement["samples_ns"], measurement["clock_mhz"]
        self.assertEqual(json.loads(self.read("again.jsonl")), want)


class MappingTest(unittest.TestCase):
    """From a format's row to a record and back, without the row that `imported` keeps."""

    def _records(self, name, form):
        path = os.path.join(TESTDATA, name)
        found = registry.named(form)
        made = registry.read(found, path, name)
        records = list(registry.records(found, made, name))
        self.assertEqual(made.problems, [])
        return found, [(row[1], rec) for row, (_, rec) in zip(made.rows, records)]

    def test_times_of_pytorch_xla(self):
        for name in ("xla_2024_01.jsonl", "xla_results.jsonl"):
            found, pairs = self._records(name, "xla_jsonl")
            for row, rec in pairs:
                (again,) = found.rows_of(rec)
                for metric in ("total_time", "per_iter_time"):
                    for got, want in zip(again["metrics"].get(metric, ()), row["metrics"].get(metric, ())):
                        self.assertAlmostEqual(got / want, 1, delta=1e-15)
                self.assertEqual(again["experiment"]["batch_size"], row["experiment"]["batch_size"])
                self.assertEqual(again["model"], row["model"])
                self.assertEqual("error" in again["metrics"], "total_time" not in row["metrics"])

    def test_null_times_of_pytorch_xla_are_a_run_that_failed(self):
        with open(os.path.join(TESTDATA, "xla_2024_01.jsonl"), encoding="utf-8") as f:
            row = json.loads(f.readline())
        for metrics in (
            {"total_time": None, "per_iter_time": None},
            {"total_time": [1.0, None], "per_iter_time": [1.0, None]},
            {"total_time": None},
        ):
            made = xla_jsonl.record([(1, {**row, "metrics": metrics})], {}, "")
            self.assertEqual((made["outcome"], made["error"]), ("CRASH", "times are null: the run failed"))
            self.assertNotIn("measurements", made)

    def test_latency_of_dynamo(self):
        found, pairs = self._records("inductor_huggingface_bfloat16_inference_cuda_performance.csv", "dynamo_csv")
        for row, rec in pairs:
            (again,) = found.rows_of(rec)
            self.assertAlmostEqual(float(again["abs_latency"]), float(row["abs_latency"]), delta=1e-12)
            self.assertEqual(again["batch_size"], row["batch_size"])
        self.assertEqual(pairs[0][1]["benchmark_case"]["dtype"], "BF16")
        self.assertEqual(pairs[2][1]["outcome"], "CRASH")
        self.assertEqual(pairs[0][1]["measurements"][0]["peak_device_bytes"], "1209050000")

    def test_memory_of_dynamo_on_a_cpu_is_left_out(self):
        row = {"dev": "cpu", "name": "a", "batch_size": "1", "abs_latency": "2.5", "dynamo_peak_mem": "1250.5"}
        (measurement,) = registry.dynamo_csv.record([(2, row)], {}, "")["measurements"]
        self.assertEqual([name for name in measurement if name.startswith("peak")], [])

    def test_words_of_dynamo(self):
        _, pairs = self._records("inductor_huggingface_bfloat16_inference_cuda_accuracy.csv", "dynamo_accuracy_csv")
        self.assertEqual(
            [rec["outcome"] for _, rec in pairs],
            ["PASS", "FAIL_ACCURACY", "OUT_OF_MEMORY", "FAIL_ACCURACY", "SKIPPED_DECLARED"],
        )

    def test_metrics_of_openxla(self):
        found, pairs = self._records("openxla.json", "openxla_json")
        want, got = (
            pairs[0][0]["metrics"]["framework_level"],
            found.rows_of(pairs[0][1])[0]["metrics"]["framework_level"],
        )
        for name in ("median_latency_ms", "mean_latency_ms", "min_latency_ms", "compile_time_ms"):
            self.assertAlmostEqual(got[name] / want[name], 1, delta=1e-15)
        self.assertEqual(
            [rec["outcome"] for _, rec in pairs], ["NOT_VERIFIED", "OUT_OF_MEMORY", "NOT_VERIFIED", "CRASH"]
        )
        self.assertEqual(
            found.rows_of(pairs[1][1])[0]["metrics"]["framework_level"],
            {"error": "OUT_OF_MEMORY: CUDA out of memory. Tried to allocate 18.75 GiB"},
        )

    def test_times_and_memory_of_param(self):
        found, pairs = self._records("benchmark_result_4711_1700000000.json", "param")
        want, got = pairs[0][0]["metric"], found.rows_of(pairs[0][1])[0]["metric"]
        for step in ("forward", "backward"):
            for a, b in zip(got[step]["measure.time"], want[step]["measure.time"]):
                self.assertAlmostEqual(a / b, 1, delta=1e-15)
            self.assertEqual(got[step]["measure.gpu.memory"], want[step]["measure.gpu.memory"][:1])
        self.assertEqual([rec["outcome"] for _, rec in pairs], ["NOT_VERIFIED", "NOT_VERIFIED", "OUT_OF_MEMORY"])

    def test_names_of_param_have_file_and_shapes(self):
        _, pairs = self._records("benchmark_result_4711_1700000000.json", "param")
        self.assertEqual(
            [rec["benchmark_case"]["name"] for _, rec in pairs][:2],
            ["torch.mm/simple_mm.json/0|0|0/1024x1024,1024x1024", "torch.add/simple_mm.json/1|0|0"],
        )
        tensors = {"type": "genericlist", "value": [{"type": "tensor", "shape": [2, 3]}, {"type": "tensor", "shape": []}]}
        row = {"op_name": "cat", "id": "0|0|0", "metric": {}, "config": {"build": None, "input": {"args": [tensors]}}}
        for options, file in (({"config": "/home/me/a.json"}, "a.json"), ({}, "results.json")):
            made = registry.param.record([(2, row)], {"run_options": options}, "results.json")
            self.assertEqual(made["benchmark_case"]["name"], "cat/%s/0|0|0/2x3,scalar" % file)

    def test_classes_of_errors_of_param_that_are_no_outcomes(self):
        row = {"op_name": "a", "id": "0", "metric": {}, "error": {"class": "INVALID_CONFIG", "message": "a size"}}
        made = registry.param.record([(2, row)], {}, "")
        self.assertEqual((made["outcome"], made["error"]), ("CRASH", "INVALID_CONFIG: a size"))

    def test_a_line_of_param_with_a_verdict_keeps_it(self):
        times = {"forward": {"measure.time": [0.5, 0.25]}}
        for verdict, metric, error, want in (
            ({"outcome": "FAIL_ACCURACY", "largest_error": 0.5, "message": "result 0"}, times, None, ("FAIL_ACCURACY", "result 0")),
            ({"outcome": "PASS", "largest_error": 0.0}, times, None, ("PASS", None)),
            ({"outcome": "NOT_VERIFIED", "message": "no truth"}, times, None, ("NOT_VERIFIED", "no truth")),
            ({"outcome": "PASS"}, {}, None, ("PASS", None)),
            ({"outcome": "FINE"}, times, None, ("CRASH", "verdict 'FINE' is none of this suite's")),
            ({"outcome": "PASS"}, times, {"class": "OUT_OF_MEMORY", "message": "cuda"}, ("OUT_OF_MEMORY", "cuda")),
            (None, times, None, ("NOT_VERIFIED", None)),
            (None, {}, None, ("CRASH", "no times")),
        ):
            row = {"op_name": "aten::sort", "id": "0|0|0", "metric": metric, "verdict": verdict, "error": error}
            made = registry.param.record([(2, row)], {}, "out.json")
            self.assertEqual((made["outcome"], made.get("error")), want)

    def test_repetitions_of_google_benchmark_are_samples(self):
        _, pairs = self._records("google_benchmark.json", "google_benchmark")
        copy = pairs[0][1]
        self.assertEqual(copy["measurements"][0]["samples_ns"], [86.12345678901235, 85.9, 87.0])
        self.assertEqual(copy["measurements"][0]["median_ns"], 86.12345678901235)
        own = pairs[-1][1]  # of one of this suite's programs, in microseconds
        self.assertEqual(own["benchmark_case"]["name"], "mlp_fp32_b1")
        self.assertEqual((own["measurements"][0]["mode"], own["measurements"][0]["step"]), ("throughput", "backward"))
        self.assertAlmostEqual(own["measurements"][0]["median_ns"], 35414.0)

    def test_aggregates_of_google_benchmark_alone(self):
        figures = {"mean": 56.2, "median": 56.1, "stddev": 0.1, "cv": 0.002}
        rows = [
            {"name": "a/8_" + name, "run_name": "a/8", "run_type": "aggregate", "aggregate_name": name, "iterations": 3}
            | {"real_time": value, "cpu_time": value, "time_unit": "us"}
            for name, value in figures.items()
        ]
        fit = {"name": "a_BigO", "run_name": "a", "run_type": "aggregate", "aggregate_name": "BigO", "real_coefficient": 7.0, "big_o": "N"}
        form = registry.google_benchmark
        (group,) = form.group(form.parse(json.dumps({"context": {}, "benchmarks": [*rows, fit]})))
        made = form.record(group, {"context": {}}, "")
        self.assertEqual(made["measurements"][0]["median_ns"], 56100.0)
        self.assertEqual(made["benchmark_case"]["tags"], ["suite=google_benchmark", "backend=unknown"])

    def test_a_file_of_dynamo_with_another_name(self):
        row = {"dev": "cpu", "name": "BERT_pytorch", "batch_size": "2", "speedup": "2.01", "abs_latency": "58.9"}
        case = registry.dynamo_csv.record([(2, row)], {}, "results.csv")["benchmark_case"]
        self.assertEqual(case["tags"], ["suite=torchdynamo", "backend=compiled"])
        case = registry.dynamo_csv.record([(2, row)], {}, "inductor-huggingface-amp_fp16-training-xpu-performance.csv")["benchmark_case"]
        self.assertEqual((case["tags"][0], case["execution"]["autocast"], case["mode"]), ("suite=huggingface", "FP16", "TRAIN"))

    def test_a_target_of_openxla_is_a_machine(self):
        definition = {"benchmark_name": "models/A/inputs/B", "data_type": "fp32", "batch_size": 1, "compiler": "xla"}
        for device, wanted in (("a2-highgpu-1g", {"gpu_name": "a2-highgpu-1g"}), ("host-cpu", None), ("pixel-8-pro", None)):
            row = {"definition": {**definition, "device": device}, "metrics": {"framework_level": {"median_latency_ms": 1.0}}}
            self.assertEqual(registry.openxla_json.record([(1, row)], {}, "").get("environment"), wanted)

    def test_metrics_of_the_hud(self):
        _, pairs = self._records("hud.json", "pytorch_hud")
        self.assertEqual(len(pairs), 3, "entries that differ in their metric alone are one record")
        self.assertEqual(pairs[0][1]["measurements"][0]["median_ns"], 12.447315123456789e6)
        self.assertEqual(pairs[1][1]["outcome"], "FAIL_ACCURACY")
        self.assertEqual(pairs[2][1]["environment"]["torch_version"], "2.9.0")


class OwnRecordsTest(ProgramTest):
    """This suite's records in the others' formats."""

    def setUp(self):
        super().setUp()
        failed = record(outcome="FAIL_ACCURACY", started_utc="2026-11-23T00:00:00+00:00")
        crashed = record(outcome="CRASH", error="signal 11", started_utc="2026-11-24T00:00:00+00:00", measurements=[])
        skipped = record(outcome="SKIPPED_DECLARED", started_utc="2026-11-25T00:00:00+00:00", measurements=[])
        unverified = record(outcome="NOT_VERIFIED", started_utc="2026-11-26T00:00:00+00:00")
        self.write("runs.jsonl", real_record(), failed, crashed, skipped, unverified)
        self.expect(0, "import", "runs.jsonl")

    def export(self, form):
        self.expect(0, "export", "--format=" + form, "--output=out")
        return self.read("out")

    def test_each_format_is_read_again_with_the_same_medians_and_outcomes(self):
        # The outcomes of runs with times after a format that has no word for theirs.
        for form, want in {
            "xla_jsonl": ["PASS", "FAIL_ACCURACY", "CRASH", "SKIPPED_DECLARED", "NOT_VERIFIED"],
            "dynamo_csv": ["NOT_VERIFIED", "NOT_VERIFIED", "CRASH", "CRASH", "NOT_VERIFIED"],
            "dynamo_accuracy_csv": ["PASS", "FAIL_ACCURACY", "CRASH", "SKIPPED_DECLARED"],
            "openxla_json": ["NOT_VERIFIED", "CRASH", "CRASH", "CRASH", "NOT_VERIFIED"],
            "param": ["PASS", "FAIL_ACCURACY", "CRASH", "SKIPPED_DECLARED", "NOT_VERIFIED"],
            "pytorch_hud": ["PASS", "FAIL_ACCURACY", "CRASH", "SKIPPED_DECLARED", "NOT_VERIFIED"],
        }.items():
            with self.subTest(form):
                self.export(form)
                self.expect(0, "import", "out", "--from=" + form, "--database=" + form)
                rows = json.loads(
                    self.expect(
                        0,
                        "query",
                        "--format=json",
                        "--database=" + form,
                        "select r.id, r.outcome, max(x.median_ns) as median from records r left join measurements x on x.id >= r.first and x.id < r.behind"
                        " and x.mode = 'wall' group by 1 order by 1",
                    )
                )
                self.assertEqual([row["outcome"] for row in rows], want[: len(rows)])
                for median in [row["median"] for row in rows if row["median"]]:
                    self.assertAlmostEqual(median / real_record()["measurements"][0]["median_ns"], 1, delta=1e-15)

    def test_a_failure_is_never_written_as_a_pass(self):
        self.assertEqual(
            [row["accuracy"] for row in csv.DictReader(self.export("dynamo_accuracy_csv").splitlines())],
            ["pass", "fail_accuracy", "fail_to_run", "pass_due_to_skip"],
        )
        entries = json.loads(self.export("openxla_json"))["benchmarks"]
        self.assertEqual(
            ["error" in e["metrics"]["framework_level"] for e in entries], [False, True, True, True, False]
        )

    def test_a_run_without_a_time_is_no_error_of_param(self):
        self.write("runs.jsonl", *(record(outcome=outcome, measurements=[]) for outcome in ("PASS", "NOT_VERIFIED", "CRASH")))
        os.remove(self.path("results.sqlite"))
        self.expect(0, "import", "runs.jsonl")
        rows = [json.loads(line) for line in self.export("param").splitlines()[1:]]
        self.assertEqual([row.get("error", {}).get("class") for row in rows], [None, None, "CRASH"])
        self.expect(0, "import", "out", "--from=param", "--database=again")
        found = json.loads(self.expect(0, "query", "select outcome from runs", "--format=json", "--database=again"))
        self.assertEqual([row["outcome"] for row in found], ["PASS", "NOT_VERIFIED", "CRASH"])

    def test_a_verified_run_without_a_time_is_no_failure_in_any_format(self):
        self.write("runs.jsonl", *(record(outcome=outcome, measurements=[]) for outcome in ("PASS", "NOT_VERIFIED")))
        os.remove(self.path("results.sqlite"))
        self.expect(0, "import", "runs.jsonl")
        for form in [form for form in registry.WRITTEN if form in registry.READ]:
            with self.subTest(form.NAME):
                self.export(form.NAME)
                self.expect(0, "import", "out", "--from=" + form.NAME, "--database=" + form.NAME)
                found = self.expect(0, "query", "select outcome from runs", "--format=json", "--database=" + form.NAME)
                self.assertLessEqual({row["outcome"] for row in json.loads(found)}, {"PASS", "NOT_VERIFIED"})

    def test_google_benchmark_has_a_row_for_each_mode(self):
        value = json.loads(self.export("google_benchmark"))
        self.assertEqual([b["name"] for b in value["benchmarks"][:2]], ["mlp_fp32_b1/wall", "mlp_fp32_b1/throughput"])
        self.assertEqual(value["benchmarks"][0]["real_time"], real_record()["measurements"][0]["median_ns"])
        self.assertTrue(any(b.get("error_occurred") for b in value["benchmarks"]))
        self.assertEqual(value["context"]["num_cpus"], 2)

    def test_the_hud_gets_every_sample(self):
        entries = json.loads(self.export("pytorch_hud"))
        latencies = [e["metric"] for e in entries if e["metric"]["name"] == "latency_ns"]
        self.assertEqual(latencies[0]["benchmark_values"], real_record()["measurements"][0]["samples_ns"])
        self.assertEqual(latencies[0]["extra_info"], {"mode": "wall", "step": "forward"})

    def test_the_analyzers_columns(self):
        rows = list(csv.DictReader(self.export("csv").splitlines()))
        times = [t / 1e9 for t in real_record()["measurements"][0]["samples_ns"]]
        self.assertAlmostEqual(float(rows[0]["median_total_time"]), 0.0341367185, delta=1e-12)
        self.assertEqual(float(rows[0]["max_per_iter_time"]), max(times))
        self.assertEqual((rows[0]["xla_compile_time"], rows[0]["dynamo_compile_time"]), ("-1", "-1"))
        self.assertEqual(rows[2]["error_message"], "CRASH: signal 11")

    def test_what_a_format_cannot_hold_is_said_once(self):
        self.export("dynamo_csv")
        lines = self.err.splitlines()
        self.assertEqual(len(lines), len(set(lines)))
        self.assertIn("results: dynamo_csv cannot hold: samples", lines)

    def test_parquet_has_the_views_rows_and_samples(self):
        import pyarrow.parquet

        self.expect(0, "export", "--format=parquet", "--output=out.parquet", "--where=outcome = 'PASS'")
        table = pyarrow.parquet.read_table(self.path("out.parquet")).to_pylist()
        self.assertEqual([row["mode"] for row in table], ["wall", "throughput"])
        self.assertEqual(table[0]["samples_ns"], real_record()["measurements"][0]["samples_ns"])
        self.assertIs(table[0]["partial"], False)
        self.assertEqual(table[0]["batch"], 1)


class AnalyzerTest(ProgramTest):
    def test_figures_of_an_imported_file(self):
        self.copy("xla_2024_01.jsonl")
        self.expect(0, "import", "xla_2024_01.jsonl")
        self.expect(0, "export", "--format=csv", "--output=report.csv")
        bert, resnet, dlrm = csv.DictReader(self.read("report.csv").splitlines())
        # By hand: the middle of four is the mean of 0.0355028735… and 0.0357182947…, the largest is the first.
        median = (0.035502873547375205 + 0.03571829479187727) / 2
        self.assertAlmostEqual(float(bert["median_total_time"]), median, delta=1e-15)
        self.assertAlmostEqual(float(bert["xla_compile_time"]), 41.27345918305218 - median, delta=1e-12)
        self.assertAlmostEqual(float(bert["xla_median_trace_per_iter_time"]), 0.00305, delta=1e-15)
        self.assertEqual(float(resnet["xla_compile_time"]), -1)
        self.assertAlmostEqual(float(resnet["std_total_time"]), 0.00015, delta=1e-12)
        self.assertIn("RESOURCE_EXHAUSTED", dlrm["error_message"])
        self.assertEqual(bert["outputs_file"], "")


class DetectionTest(ProgramTest):
    def test_a_file_of_no_format_is_told_what_each_reader_missed(self):
        self.write("x.json", b'{"name": "what"}\n')
        self.expect(2, "import", "x.json")
        for form in registry.READ:
            self.assertIn(form.NAME, self.err)
        self.assertIn("no object `model`, `experiment`, `metrics`", self.err)

    def test_a_file_that_is_no_json_is_told_where(self):
        for value, said in (
            ("nan", "at `nan}]`; write NaN, Infinity or -Infinity"),
            ("-inf", "at `-inf}]`; write NaN"),
            ("2%", "at `%}]`; write 0.02 in place of 2%"),
            ("'a'", "at `'a'}]`; texts stand between \""),
            ("True", "at `True}]`; write true"),
        ):
            self.write("x.json", b'{"context": {},\n "benchmarks": [{"name": "a", "rms": %s}]\n}' % value.encode())
            for verb in ("import", "check"):
                self.expect(2, verb, "x.json")
                self.assertRegex(self.err + self.out, r"x\.json:2: no JSON from column \d+ on: Expecting")
                self.assertIn(said, self.err + self.out)
            self.assertNotIn("each reader misses", self.err)

    def test_a_list_of_expected_outcomes_is_for_the_gate(self):
        for name, said in (("a.csv", "it: tools/bazel"), ("a.txt", "it: call it a.txt.csv, and then tools/bazel")):
            self.write(name, b"name,accuracy,graph_breaks\nAlbert,pass,7\n")
            self.expect(2, "import", name)
            self.assertIn(said + " run //tools:gate -- --expected=a.", self.err)
            self.assertIn(".csv results.sqlite", self.err)

    def test_a_csv_with_missing_columns(self):
        self.write("x.csv", b"name,batch_size,abs_latency\nresnet,1,2.5\n")
        self.expect(2, "import", "x.csv")
        self.assertIn("does not name the column dev", self.err)
        self.assertNotIn("//tools:gate", self.err)

    def test_an_ambiguous_file_asks_for_the_format(self):
        self.write("x.json", b'{"context": {}, "trigger": {}, "benchmarks": []}\n')
        self.expect(3, "import", "x.json")
        self.assertIn("openxla_json and google_benchmark", self.err)
        self.expect(0, "import", "x.json", "--from=openxla_json")

    def test_an_unknown_format(self):
        self.write("x.json", b"{}\n")
        self.expect(3, "import", "x.json", "--from=excel")
        self.assertIn("one of assay, xla_jsonl", self.err)


class HeadTest(ProgramTest):
    """A format is known by the first 64 KiB of an ordinary file."""

    def start(self, *words, memory):
        environment = {**os.environ, "BUILD_WORKING_DIRECTORY": self.folder, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(
            [sys.executable, "-s", "-S", "-m", "tools.results", *words],
            env=environment,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)),
            capture_output=True,
            text=True,
            check=False,
            timeout=50,
        )
        return done.returncode, done.stderr

    def test_three_gibibytes_without_an_end_of_a_line(self):
        with open(self.path("zeros"), "wb") as f:
            f.truncate(3 << 30)
        for words in (["import", "zeros"], ["check", "zeros"]):
            code, err = self.start(*words, memory=1 << 30)
            self.assertEqual((code, "zeros: of no known format" in err), (2, True), err)
        for form in ("assay", "param"):
            code, err = self.start("import", "zeros", "--from=" + form, memory=2 << 30)
            self.assertEqual((code, "Traceback" in err), (2, False), err)

    def test_a_pipe_is_not_waited_for(self):
        os.mkfifo(self.path("pipe"))
        for words in (["import", "pipe"], ["check", "pipe"], ["import", "pipe", "--from=param"]):
            code, err = self.start(*words, memory=1 << 30)
            self.assertEqual(code, 2)
            self.assertIn("pipe: not an ordinary file", err)

    def test_what_is_cut_off_is_known(self):
        long = [{"name": 'a "[,{\\', "run_name": "a", "iterations": 1, "real_time": 1.5}] * 2000
        for indent in (None, 1):
            text = json.dumps({"context": {}, "benchmarks": long}, indent=indent)
            self.assertGreater(len(text), 1 << 17)
            self.write("x.json", text.encode())
            self.assertIn("x.json: google_benchmark, 1 new", self.expect(0, "import", "x.json", "--database=%s" % indent))
        with open(os.path.join(TESTDATA, "hud.json"), encoding="utf-8") as f:
            self.write("x.json", json.dumps(json.load(f) * 300, indent=2).encode())
        self.assertIn("x.json: pytorch_hud, ", self.expect(0, "import", "x.json"))
        made = record(launch__command=["x" * 70000])
        for one in (made, {"schema_version": 2, **made}, {"device": "CPU", "schema_version": 2, **made}):
            self.write("x.json", one)
            self.assertIn("x.json: assay, 1 records", self.expect(0, "check", "x.json"))


class SpreadTest(ProgramTest):
    def test_one_object_over_many_lines(self):
        for name, form in (("xla_results.jsonl", "xla_jsonl"), ("hud_lines.json", "pytorch_hud")):
            with open(os.path.join(TESTDATA, name), encoding="utf-8") as f:
                value = json.loads(f.readline())
            self.write("x.json", json.dumps(value, indent=2).encode())
            self.assertIn("x.json: %s, 1 new records, 0 known, 0 footers, 0 refused" % form, self.expect(0, "import", "x.json"))
            self.expect(0, "export", "--format=" + form, "--output=out")
            os.remove(self.path("results.sqlite"))

    def test_a_record_of_this_suite_must_stand_on_one_line(self):
        self.write("x.json", json.dumps(real_record(), indent=2).encode())
        for verb in ("import", "check"):
            self.expect(2, verb, "x.json")
            self.assertIn("x.json: one record over many lines; write it on one: jq -c . FILE", self.err)


class BadRowsTest(ProgramTest):
    def test_a_nan_latency_is_refused_with_its_line_and_the_others_imported(self):
        header = b"dev,name,batch_size,speedup,abs_latency\n"
        self.write(
            "x.csv",
            header,
            b"cpu,a,1,1.5,nan\ncpu,b,1,1.5,2.0\ncpu,c,1,1.5,-3\ncpu,d,1,1.5,inf\ncpu,e,1,1.5,fast\ncpu,f,1\n",
        )
        self.expect(1, "import", "x.csv")
        self.assertIn("2 new records, 0 known, 0 footers, 4 refused", self.out)
        for place in (
            "x.csv:2: bad number",
            "x.csv:4: bad number",
            "x.csv:5: bad number",
            "x.csv:7: malformed",
        ):
            self.assertIn(place, self.err)

    def test_nan_in_json(self):
        self.copy("google_benchmark.json")
        text = self.read("google_benchmark.json").replace("1.25,", "NaN,", 1)
        self.write("nan.json", text.encode())
        self.expect(1, "import", "nan.json")
        self.assertIn("nan.json:3: bad number: real_time is NaN, infinite", self.err)
        self.assertIn("4 new records", self.out)

    def test_half_a_document(self):
        self.copy("openxla.json")
        self.write("half.json", self.read("openxla.json")[:900].encode())
        self.expect(2, "import", "half.json", "--from=openxla_json")
        self.assertIn("half.json: not whole, or not openxla_json", self.err)


class OddRowsTest(ProgramTest):
    """Null, nested, huge and invalid parts between good rows of each format: every good row comes in."""

    def odd(self, row, *paths):
        """JSON of rows like `row` with something odd at one of the paths, and of what is no row at all."""
        deep = "[" * 2000 + "]" * 2000  # json of Python 3.11 refuses it, of 3.13 reads it
        less = "[" * 900 + "]" * 900  # each reads it
        for path in paths:
            for odd in (deep, less, "1e999", "1e300", "NaN", "-" + "9" * 5000, "9" * 400, '"\\ud800"', "{}", "[[]]", '"a"', "true", "-3", "null"):
                made = owner = copy.deepcopy(row)
                *owners, name = path.split(".")
                for one in owners:
                    owner = owner[one]
                owner[name] = "MORE"
                yield json.dumps(made).replace('"MORE"', odd)
        yield from ("7", "null", "[]", '"a"', "{}", deep)

    def expect_good(self, form, text, good, odd):
        """`text` makes a file of rows, which are texts."""

        def names():
            return sorted(row["case_name"] for row in self.query("select case_name from runs where case_name not like '%odd%'"))

        self.write("rows", text(good).encode())
        self.expect(0, "import", "rows", "--from=" + form)
        want = names()
        self.assertEqual(len(want), len(good))
        self.write("rows", text([good[0], *odd, *good[1:]]).encode())
        for samples in ("yes", "no"):
            os.remove(self.path("results.sqlite"))
            self.expect(1, "import", "rows", "--from=" + form, "--samples=" + samples)
            self.assertEqual(names(), want)
            for to in (form, "assay", "csv", "parquet"):
                self.expect(0, "export", "--format=" + to, "--output=out")
                self.assertNotIn("left out: ", self.err)
        os.remove(self.path("results.sqlite"))

    def rows(self, name):
        with open(os.path.join(TESTDATA, name), encoding="utf-8") as f:
            return [json.loads(line) for line in f]

    @staticmethod
    def lines(rows):
        return "\n\n".join(rows) + "\n"

    def test_xla(self):
        self.copy("xla_results.jsonl")
        self.write("marked.jsonl", b"\xef\xbb\xbf", self.read("xla_results.jsonl").encode())
        self.assertIn("4 new records", self.expect(0, "import", "marked.jsonl", "--database=marked.sqlite"))
        good = self.rows("xla_2024_01.jsonl")[:2]
        row = {**good[0], "model": {"suite_name": "a", "model_name": "odd"}}
        odd = self.odd(row, "timestamp", "metrics", "metrics.per_iter_time", "experiment.batch_size", "repeat", "model")
        self.expect_good("xla_jsonl", self.lines, [*map(json.dumps, good)], [*odd, '{"half', "\0"])

    def test_param(self):
        head, *good = self.rows("benchmark_result_4711_1700000000.json")
        odd = self.odd({**good[0], "op_name": "odd"}, "metric", "metric.forward", "metric.forward.measure", "id", "config")
        odd = [*odd, '{"half', "\0"]
        good = [*map(json.dumps, good[:2])]
        self.expect_good("param", lambda rows: self.lines([json.dumps(head), *rows]), good, odd)
        self.expect_good("param", self.lines, good, odd)

    def test_google_benchmark(self):
        def text(rows):
            return '{"context": {"num_cpus": 2}, "benchmarks": [%s]}' % ", ".join(rows)

        good = [{"name": name, "run_name": name, "iterations": 3, "real_time": 2.5} for name in ("a", "b")]
        odd = self.odd({**good[0], "name": "odd", "run_name": "odd"}, "real_time", "iterations", "time_unit", "run_type")
        nameless = json.dumps({"run_name": [1], "real_time": 2.5})
        self.expect_good("google_benchmark", text, [*map(json.dumps, good)], [*odd, nameless])

    def test_openxla(self):
        def text(rows):
            return '{"trigger": {}, "benchmarks": [%s]}' % ", ".join(rows)

        with open(os.path.join(TESTDATA, "openxla.json"), encoding="utf-8") as f:
            good = json.load(f)["benchmarks"][:2]
        row = {**good[0], "definition": {**good[0]["definition"], "benchmark_name": "odd"}}
        odd = self.odd(row, "definition.batch_size", "definition.device", "metrics", "metrics.framework_level")
        self.expect_good("openxla_json", text, [*map(json.dumps, good)], odd)

    def test_a_metric_that_is_no_number_costs_no_other_metric(self):
        with open(os.path.join(TESTDATA, "openxla.json"), encoding="utf-8") as f:
            first = json.load(f)["benchmarks"][0]
        rows = []
        for name, odd in (("a", "mean_latency_ms"), ("b", "median_latency_ms")):
            level = {**first["metrics"]["framework_level"], odd: math.nan, "stddev_latency_ms": math.inf}
            rows.append({"definition": {**first["definition"], "benchmark_name": name}, "metrics": {"framework_level": level}})
        self.write("openxla.json", json.dumps({"trigger": {}, "benchmarks": rows}).encode())
        row = self.rows("xla_2024_01.jsonl")[0]
        made = []
        for name, metrics in (("c", {"total_cpu_time_s": [math.nan], "trace_per_iter_time": [math.nan]}), ("d", {"per_iter_time": [0.5, math.nan]})):
            made.append({**row, "model": {"model_name": name}, "metrics": {**row["metrics"], **metrics}})
        self.write("xla.jsonl", self.lines(map(json.dumps, made)).encode())
        for name, want in (
            ("openxla.json", [("a", True, "NOT_VERIFIED", None), ("b", False, "CRASH", "median_latency_ms is no number")]),
            ("xla.jsonl", [("c", True, None, None), ("d", False, "CRASH", "times are null: the run failed")]),
        ):
            self.assertIn("2 new records, 0 known, 0 footers, 0 refused", self.expect(0, "import", name, "--database=%s.sqlite" % name))
            sql = "select substr(case_name, 1, 1) as name, median_ns > 0 as timed, outcome, error from results order by id"
            found = [tuple(one.values()) for one in json.loads(self.expect(0, "query", sql, "--format=json", "--database=%s.sqlite" % name))]
            self.assertEqual([(one[0], bool(one[1])) for one in found], [one[:2] for one in want], name)
            self.assertEqual(found[1][2:], want[1][2:])

    def test_the_hud(self):
        with open(os.path.join(TESTDATA, "hud.json"), encoding="utf-8") as f:
            entries = json.load(f)
        good = [json.dumps({**entries[0], "model": {"name": name}}) for name in ("a", "b")]
        row = {**entries[0], "model": {"name": "odd"}}
        odd = [*self.odd(row, "metric.benchmark_values", "metric.name", "timestamp", "benchmark", "runners", "metric")]
        # One of a record's entries, and the others.
        odd += [*self.odd({**entries[0], "model": {"name": "a"}}, "metric.benchmark_values")][:6]
        self.expect_good("pytorch_hud", lambda rows: "[%s]" % ", ".join(rows), good, odd)
        self.expect_good("pytorch_hud", self.lines, good, [*odd, '{"half', "\0"])

    def test_dynamo(self):
        def text(rows):
            return "\r\n\n".join(["\ndev,name,batch_size,speedup,abs_latency", *rows]) + "\n"

        odd = ["nan", "1e999", "9" * 5000, "-1", "a", '"open', "\0", "x" * 200000]
        rows = ["cpu,odd,1,1.0,%s" % one for one in odd] + ["cpu,odd,%s,1.0,2.0" % one for one in odd] + [",,,,", "7"]
        self.expect_good("dynamo_csv", text, ["cpu,a,1,1.0,2.0", 'cpu,"b",1,1.0,2.0'], rows)

    def test_brackets_alone_are_of_no_format(self):
        self.write("odd", b"[" * 100000)
        for verb in ("import", "check"):
            self.expect(2, verb, "odd")
            self.assertIn("odd: of no known format", self.err)
        for form in registry.READ[1:]:
            self.assertIn(self.run_program("import", "odd", "--from=" + form.NAME)[0], (1, 2))


class ErrorTextTest(unittest.TestCase):
    def test_kinds_of_errors(self):
        for text, want in {
            "timeout": "TIMEOUT",
            "Command 'x' timed out after 1800 seconds": "TIMEOUT",
            "CUDA out of memory. Tried": "OUT_OF_MEMORY",
            "IndexError": "CRASH",
        }.items():
            self.assertEqual(document.outcome_of_error(text), want)

    def test_a_timed_row_was_not_left_out(self):
        row = {
            "model": {"model_name": "a"},
            "experiment": {"test": "eval"},
            "metrics": {"per_iter_time": [1.0]},
            "verification_code": "VERIFIER_SKIPPED",
        }
        self.assertEqual(xla_jsonl.record([(1, row)], {}, "")["outcome"], "NOT_VERIFIED")


if __name__ == "__main__":
    unittest.main()
