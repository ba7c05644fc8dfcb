"""Runs on GPUs, of two cards, beside runs of the same cases on the CPU: which figure is of which is never lost."""

import csv
import io
import json
import unittest

from tools.results.test_files import ProgramTest, gpu_records, on_cpu, record

_H100, _H200 = "Simulated H100 80GB HBM3", "Simulated H200"
_HOST = "Simulated Host"
_ONE = ["google_benchmark", "param", "dynamo_csv", "dynamo_accuracy_csv", "openxla_json"]
_OF = {"H100": "gpu_name = '%s'" % _H100, "H200": "gpu_name = '%s'" % _H200, "CPU": "device = 'CPU'"}


class GpuTest(ProgramTest):
    def setUp(self):
        super().setUp()
        gpus = gpu_records()
        self.write("runs.jsonl", *gpus, *map(on_cpu, gpus[:5]))
        self.expect(0, "import", "runs.jsonl")

    def test_columns_say_device_card_and_driver(self):
        rows = self.query("select distinct device, gpu_name, gpu_driver, cuda_runtime, compute_capability from runs order by 1, 2")
        self.assertEqual(
            [tuple(row.values()) for row in rows],
            [
                ("CPU", None, None, None, None),
                ("CUDA", _H100, "simulated", "13.0", "9.0"),
                ("CUDA", _H200, "simulated", "13.0", "9.0"),
            ],
        )
        (row,) = self.query(
            "select mode, peak_device_bytes, enqueue_ns, median_ns, operators_per_call from results where case_name = 'mlp_fp32_b64'"
            " and gpu_name = '%s' and mode = 'cold'" % _H100
        )
        self.assertGreater(row["peak_device_bytes"], 1 << 20)
        self.assertGreater(row["enqueue_ns"], row["median_ns"])  # launch-bound

    def test_latest_keeps_each_machines_figure_and_says_whose_it_is(self):
        for question, cold in (("latest", 2), ("slowest", 0)):
            found = json.loads(self.expect(0, "query", question, "--format=json"))
            mine = [row for row in found if row["case_name"] == "mlp_fp32_b64"]
            self.assertEqual(len([row for row in mine if row["mode"] == "cold"]), cold)
            machines = {(row["device"], row["machine"]) for row in mine if row["mode"] == "wall"}
            wanted = {("CUDA", _H100), ("CUDA", _H200), ("CPU", _HOST)}
            self.assertEqual(machines, wanted if question == "latest" else {("CPU", _HOST)})

    def test_a_failure_says_on_which_card(self):
        failed = gpu_records()[5]
        failed.update(outcome="FAIL_ACCURACY", started_utc="2026-02-01T00:00:00+00:00")
        self.write("failed.jsonl", failed)
        self.expect(0, "import", "failed.jsonl")
        (row,) = json.loads(self.expect(0, "query", "failures", "--format=json"))
        self.assertEqual((row["device"], row["machine"]), ("CUDA", _H200))

    def test_a_speedup_is_of_one_machine(self):
        newer = [
            {**made, "environment": {**made["environment"], "torch_version": "2.12.0"}, "started_utc": "2026-02-01T00:00:00+00:00"}
            for made in gpu_records()[5:]
        ]
        self.write("newer.jsonl", *newer)  # of the H200 alone
        self.expect(0, "import", "newer.jsonl")
        found = json.loads(self.expect(0, "query", "speedup", "2.11.0", "2.12.0", "--format=json"))
        self.assertEqual({row["machine"] for row in found}, {_H200})
        self.assertEqual({row["speedup"] for row in found}, {1.0})

    def test_formats_with_a_place_for_the_machine_name_it(self):
        rows = self.exported("xla_jsonl")
        self.assertEqual({(r["experiment"]["accelerator"], r["experiment"]["accelerator_model"]) for r in rows}, {("cuda", _H100), ("cuda", _H200), ("cpu", _HOST)})
        rows = csv.DictReader(io.StringIO(self.exported("csv")))
        self.assertEqual({(r["accelerator"], r["accelerator_model"]) for r in rows}, {("cuda", _H100), ("cuda", _H200), ("cpu", _HOST)})
        rows = self.exported("pytorch_hud")
        self.assertEqual({(r["runners"][0]["type"], r["runners"][0].get("gpu_info")) for r in rows}, {("cuda", _H100), ("cuda", _H200), ("cpu", None)})
        modes = {r["metric"]["extra_info"]["mode"] for r in rows if r["metric"]["name"] == "latency_ns"}
        self.assertEqual(modes, {"wall", "throughput", "cold", "hot", "graph", "enqueue"})
        self.assertIn("peak_device_bytes", {r["metric"]["name"] for r in rows})

    def test_other_formats_take_runs_of_one_machine(self):
        for form in _ONE:
            self.expect(3, "export", "--format=" + form, "--output=x")
            self.assertIn("%s: its rows do not say which machine they are of, and these are of" % form, self.err)
            self.assertIn("cuda %s, cuda %s" % (_H100, _H200), self.err)
            self.assertIn("--where=\"device = 'CUDA' and gpu_name = '%s'\"" % _H100, self.err)
            self.exported(form, "device = 'CUDA' and gpu_name = '%s'" % _H100)
        # They tell devices apart.
        for form in ("dynamo_csv", "dynamo_accuracy_csv", "openxla_json"):
            self.exported(form, "gpu_name is null or gpu_name = '%s'" % _H100)

    def test_what_comes_back_is_of_the_same_device(self):
        cards = {"xla_jsonl", "pytorch_hud", "google_benchmark", "param"}
        for form in ("xla_jsonl", "pytorch_hud", *_ONE):
            for name, condition in _OF.items():
                self.exported(form, condition)
                self.expect(0, "import", "x.out", "--from=" + form, "--database=%s_%s" % (form, name))
                rows = json.loads(
                    self.expect(0, "query", "select distinct device, gpu_name from runs", "--database=%s_%s" % (form, name), "--format=json")
                )
                card = {"H100": _H100, "H200": _H200}.get(name) if form in cards else None
                self.assertEqual(rows, [{"device": "CPU" if name == "CPU" else "CUDA", "gpu_name": card}], form)

    def test_machines_of_unknown_name_are_no_reason_to_refuse(self):
        self.write("unknown.jsonl", *(record(environment={}, started_utc="2026-03-0%dT00:00:00+00:00" % day) for day in (1, 2)))
        self.expect(0, "import", "unknown.jsonl", "--database=unknown")
        self.expect(0, "export", "--format=dynamo_csv", "--output=x", "--database=unknown")

    def exported(self, form, where=""):
        """Rows of JSON, else text."""
        self.expect(0, "export", "--format=" + form, "--output=x.out", "--where=" + where)
        text = self.read("x.out")
        if form == "xla_jsonl":
            return [json.loads(one) for one in text.splitlines()]
        return json.loads(text) if form == "pytorch_hud" else text


if __name__ == "__main__":
    unittest.main()
