"""Reports of runs on GPUs of two cards beside runs on the CPU: no figure is of two of them."""

import json
import re
import unittest

from tools.report import fixtures
from tools.results.test_files import gpu_records, on_cpu

_H100, _H200 = "Simulated H100 80GB HBM3", "Simulated H200"
_HOST = "Simulated Host, 8 threads"
_ALL = (_H100, _H200, _HOST)


def by_torchscript(gpu_record, faster, modes=("wall", "cold")):
    """The same case by a back end that is so much faster."""
    made = json.loads(json.dumps(gpu_record))
    case = made["benchmark_case"]
    case["name"] += "_torchscript"
    case.setdefault("execution", {})["backend"] = "TORCHSCRIPT"
    made["configuration"]["digest"] = made["configuration"]["digest"][1:] + "0"
    made["configuration"]["settings"]["backend"] = "torchscript"
    made["measurements"] = [m for m in made["measurements"] if m["mode"] in modes]
    for measurement in made["measurements"]:
        for name in ("median_ns", "ci_low_ns", "ci_high_ns"):
            measurement[name] /= faster
    return made


class GpuReportTest(fixtures.ReportTest):
    def setUp(self):
        super().setUp()
        self.eager = gpu_records()
        h100, h200 = self.eager[0], self.eager[5]  # mlp_fp32_b64
        fast = [by_torchscript(h100, 2), by_torchscript(h200, 4), by_torchscript(on_cpu(h100), 8)]
        self.write("runs.jsonl", *self.eager, *map(on_cpu, self.eager[:5]), *fast)

    def rows(self, report, *words):
        table = self.tables("runs.jsonl", "--report=" + report, *words)[0]
        return [dict(zip(table["columns"], row)) for row in table["rows"]]

    def speedups(self, *words):
        """The speedups of fp32 inference by torchscript, by machine."""
        found = [r for r in self.rows("summary", *words) if (r["Dtype"], r["Mode"], r["Backend"]) == ("fp32", "inference", "torchscript")]
        return {r["Machine"]: round(r["Geomean speedup"], 6) for r in found}

    def test_each_machine_has_its_own_speedup(self):
        self.assertEqual(self.speedups(), {_H100: 2.0, _H200: 4.0, _HOST: 8.0})
        self.assertEqual(self.speedups("--machine=H200"), {_H200: 4.0})
        self.assertEqual(self.speedups("--mode=cold", "--machine=H[12]00"), {_H100: 2.0, _H200: 4.0})

    def test_across_machines_is_not_across_devices(self):
        found = self.speedups("--across")
        self.assertEqual(set(found), {"all machines, cpu", "all machines, cuda"})
        self.assertEqual(found["all machines, cpu"], 8.0)

    def test_targets_stand_side_by_side_under_device_and_card(self):
        row = next(r for r in self.rows("targets") if r["Case"] == "mlp_fp32_b64")
        columns = ["Latency ms(%s eager on %s)" % target for target in (("cuda", _H100), ("cuda", _H200), ("cpu", _HOST))]
        self.assertEqual([round(row[name], 4) for name in columns], [0.0322, 0.0322, 0.3217])
        self.assertEqual({value for name, value in row.items() if name.startswith("Ratio to") and not value == 2.0}, {None})
        wanted = round(self.eager[0]["measurements"][2]["median_ns"] / 1e6, 6)
        row = next(r for r in self.rows("targets", "--mode=cold") if r["Case"] == "mlp_fp32_b64")
        self.assertEqual(round(row[columns[0]], 6), wanted)
        self.assertNotIn(columns[2], row)  # the CPU was not measured in this mode

    def test_a_ratio_is_of_one_mode(self):
        """Eager has wall, by which a launch-bound call takes three times as long as by the GPU's timer."""
        self.write("modes.jsonl", self.eager[0], by_torchscript(self.eager[0], 1, modes=("cold",)))
        table = self.tables("modes.jsonl", "--report=summary")[0]
        self.assertEqual(table["left_out"], {"mode cold, not that of others": 1})
        self.assertEqual({row[table["columns"].index("Geomean speedup")] for row in table["rows"]}, {None})
        table = self.tables("modes.jsonl", "--report=summary", "--mode=cold")[0]
        found = [row[table["columns"].index("Geomean speedup")] for row in table["rows"]]
        self.assertEqual([value and round(value, 6) for value in found], [None, 1.0])

    def test_pictures_keep_machines_apart(self):
        later = [{**record, "started_utc": "2026-01-05T13:%02d:00+00:00" % i, "duration_s": 3.0} for i, record in enumerate(self.eager)]
        self.write("rounds.jsonl", *self.eager, *map(on_cpu, self.eager), *later, *map(on_cpu, later))
        for report, words in (("summary", ["runs.jsonl"]), ("samples", ["runs.jsonl", "-k", "^mlp_fp32_b64$"]), ("stability", ["rounds.jsonl"])):
            picture = self.expect(0, *words, "--report=" + report, "--format=svg")
            names = re.findall(r"<!-- (.*?) -->", picture)  # where matplotlib writes the text that it draws
            for machine in _ALL:
                self.assertTrue(any(machine in name for name in names), "%s has no %s" % (report, machine))

    def test_the_table_of_machines_names_the_cards(self):
        table = self.tables("runs.jsonl", "--report=machines")[0]
        self.assertEqual([row[3] for row in table["rows"]].count(None), 1)
        self.assertEqual({row[3] for row in table["rows"]}, {_H100, _H200, None})

    def test_the_page_says_device_and_machine_of_each_row(self):
        self.expect(0, "runs.jsonl", "--out=page.html")
        page = self.read("page.html")
        for machine in _ALL:
            self.assertIn(machine, page)
        for device in ('"cuda"', '"cpu"'):
            self.assertIn(device, page)

    def roofline(self, *words):
        """{(case, machine): GFLOP/s} of the page, and its cases."""
        self.expect(0, "runs.jsonl", "--out=page.html", *words)
        data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', self.read("page.html"), re.S)[1])
        machine = data["cases"]["machine"]
        return {(data["cases"]["case"][i], machine["values"][machine["codes"][i]]): rate for i, _, rate in data["roofline"]}

    def test_the_pages_roofline_is_by_the_gpus_timer(self):
        case, awaited = "mlp_fp32_b64", self.roofline("--mode=wall")
        found = self.roofline()
        for record, machine in ((self.eager[0], _H100), (self.eager[5], _H200)):
            medians = {m["mode"]: m["median_ns"] for m in record["measurements"]}
            flops = record["measurements"][0]["flops_per_call"]
            self.assertAlmostEqual(found[case, machine], flops / medians["cold"], delta=0.01)
            self.assertAlmostEqual(awaited[case, machine], flops / medians["wall"], delta=0.01)
        self.assertEqual(found[case, _HOST], awaited[case, _HOST])


if __name__ == "__main__":
    unittest.main()
