"""The gate over runs on GPUs: a row is of one device, and only the card and driver that are expected count."""

import unittest

from tools.gate import gate_test
from tools.results.test_files import gpu_records, on_cpu

_H100, _H200 = "Simulated H100 80GB HBM3", "Simulated H200"
_TOML = """
[scope]
cases = ["mlp_.*_b64"]
devices = ["CPU", "CUDA"]

[environment.CPU]
torch_version = "2.11.0"

[environment.CUDA]
gpu_name = "%s"
gpu_driver = "simulated"
torch_version = "2.11.0"
"""


class GpuGateTest(gate_test.GateTest):
    def setUp(self):
        super().setUp()
        self.registry("mlp_fp32_b64", "mlp_bf16_b64")
        self.lay("e.toml", _TOML % _H100)
        h100 = gpu_records()[:2]
        for record in h100:
            record["flags"] = ["--device=cuda", "--budget=0.005"]
        self.h100, self.h200, self.cpu = h100, gpu_records()[5:], [on_cpu(record) for record in h100]
        self.results = [*self.h100, *self.cpu]
        self.gate(0, "--update")

    def test_a_row_for_each_device(self):
        self.assertEqual(self.gate(0), "gate: green: 4 passed\n")
        rows = [row.split("\t")[:3] for row in self.read("e.tsv").splitlines() if row.startswith("mlp")]
        self.assertEqual(rows, [["mlp_bf16_b64", "CPU", "-"], ["mlp_bf16_b64", "CUDA", "-"], ["mlp_fp32_b64", "CPU", "-"], ["mlp_fp32_b64", "CUDA", "-"]])

    def test_a_run_on_the_cpu_is_none_on_the_gpu(self):
        self.results = self.cpu
        self.gate(2, says=["mlp_fp32_b64 CUDA: no result", "--only=mlp_fp32_b64 --device=cuda"])
        self.assertEqual(self.kinds(), ["MISSING"])

    def test_a_run_on_another_card_does_not_count(self):
        self.results = [*self.h200, *self.cpu]
        self.gate(2, says=["mlp_fp32_b64 CUDA: results.jsonl:1 does not count: gpu_name is %s, not %s" % (_H200, _H100)])
        self.assertEqual(self.kinds(), ["ELSEWHERE"])
        self.h200[0]["outcome"] = "FAIL_ACCURACY"  # nor does it fail what is expected of another one
        self.results = [*self.h100, *self.h200, *self.cpu]
        self.gate(0)

    def test_a_run_with_another_driver_does_not_count(self):
        for record in self.h100:
            record["environment"]["gpu_driver"] = "590.1"
        self.gate(2, says="gpu_driver is 590.1, not simulated")

    def test_of_two_cards_each_must_pass(self):
        self.edit("e.toml", 'gpu_name = "%s"' % _H100, 'gpu_name = ["%s", "%s"]' % (_H100, _H200))
        self.results += self.h200
        self.gate(0, says="4 passed")
        self.h200[0].update(outcome="FAIL_ACCURACY", started_utc="2026-01-01T00:00:00+00:00")  # before the one that passed
        self.gate(1, says="mlp_fp32_b64 CUDA: FAIL_ACCURACY, expected PASS")

    def test_counters_are_of_the_device(self):
        del self.h100[0]["measurements"][0]["operators_per_call"]
        self.h100[0]["measurements"][1]["operators_per_call"] = 5
        self.gate(1, says="mlp_fp32_b64 CUDA: forward.operators is ")
        self.assertEqual(self.kinds(), ["COUNTER"])

    def test_no_device_is_of_the_surroundings(self):
        lost = {**self.h100[0], "outcome": "NO_DEVICE", "error": "no CUDA device", "measurements": []}
        lost["environment"] = {name: text for name, text in lost["environment"].items() if not name.startswith("gpu")}
        self.results = [lost, self.h100[1], *self.cpu]
        self.gate(2, says=["mlp_fp32_b64 CUDA: NO_DEVICE, expected PASS", "--device=cuda"])


class GpuComparisonTest(gate_test.GateTest):
    def test_a_slow_down_says_on_which_card(self):
        made = gate_test._comparison("SLOWER", cases=[{"name": "a", "machine": {"cpu_model": "x", "gpu_name": _H200}}])
        self.write("c.json", made)
        self.gate(1, "--compared=c.json", says="c.json: a/wall on %s: the candidate is slower" % _H200)


if __name__ == "__main__":
    unittest.main()
