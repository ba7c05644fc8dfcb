"""What a record says in one place does not hide what it says in another: limits, majorities, builds, checks, its own parts."""

import unittest

from tools.gate.gate_test import GateTest, result
from tools.results.test_files import line, record


def output(name="probabilities", **fields):
    return {**record()["verdict"]["outputs"][0], "name": name, **fields}


def measured(step="forward", mode="wall", checks=(), **fields):
    """A measurement; `checks` are pairs of name and status."""
    listed = [{"name": name, "status": "CHECK_" + status, "detail": "why"} for name, status in checks]
    return {"mode": mode, "step": step, "flops_per_call": 589824, "checks": listed, **fields}


class Limits(GateTest):
    """A limit behind a wider one, and those of rules that have neither rms_limit nor max_limit."""

    def test_the_widest_limits_are_counters_of_their_own(self):
        self.results[0] = result(
            verdict__outputs=[output("a", rms_limit=1e-5, max_limit=1e-3), output("b", rms_limit=1e-4, max_limit=1e-4)]
        )
        self.gate(0, "--update", says=["max_limit 0.0001 -> 0.001", "rms_limit 1e-05 -> 0.0001"])

    def test_a_limit_behind_a_wider_one(self):
        before = [output("a", max_limit=1e-3), output("b", max_limit=1e-4)]
        self.results[0] = result(verdict__outputs=before)
        self.gate(0, "--update")
        for changed in (
            [output("a", max_limit=1e-3), output("b", max_limit=1e-3)],
            [output("a", max_limit=1e-4), output("b", max_limit=1e-3)],
            [output("a", max_limit=1e-3), output("b", max_limit=1e-4, rms_limit=2e-6)],
            [output("a", max_limit=1e-3, elements_compared="31"), output("b", max_limit=1e-4, elements_compared="33")],
        ):
            self.results[0] = result(verdict__outputs=changed)
            self.gate(1, says="a_fp32_b1 CPU: limits is ")
            self.assertEqual(self.kinds(), ["COUNTER"])

    def test_limits_of_every_rule(self):
        for rule, limits in (
            ("ALLCLOSE", {"atol": 1e-6, "rtol": 1e-5}),
            ("DYNAMO_SAME", {"atol": 1e-6, "multiplier": 2}),
            ("COSINE", {"cosine_min": 0.99}),
            ("MEAN_RELATIVE", {"mean_relative_limit": 1e-3}),
            ("IOU", {"iou_min": 0.9}),
            ("RELATIVE_TO_STD", {"gradient_factor": 10}),
        ):
            plain = output(rms_limit=0, max_limit=0)
            rows = {"verdict__outputs": [plain], "verdict__rule": rule}
            verify = {"rule": rule, "provenance": "a book", **limits}
            self.results[0] = result(**rows, benchmark_case__verify=verify)
            self.gate(0, "--update")
            self.results[0] = result(**rows, benchmark_case__verify={**verify, "provenance": "another book", "batch": "1"})
            self.gate(0)
            for name, value in limits.items():
                self.results[0] = result(**rows, benchmark_case__verify={**verify, name: value * 1.0001})
                self.gate(1, says="a_fp32_b1 CPU: limits is ")
            self.results[0] = result(**{**rows, "verdict__rule": "EXACT"}, benchmark_case__verify=verify)
            self.gate(1, says="a_fp32_b1 CPU: limits is ")

    def test_the_rule_and_the_factor_of_one_output(self):
        expected = [{"name": "probabilities", "dtype": "FP32"}]
        for more in ({"rule": "IOU"}, {"limit_factor": 2.5}):
            self.results[0] = result(workload__outputs=expected)
            self.gate(0, "--update")
            self.results[0] = result(workload__outputs=[{**expected[0], **more}])
            self.gate(1, says="a_fp32_b1 CPU: limits is ")

    def test_units_of_a_call(self):
        self.results[0] = result(measurements=[measured(units_per_call=8)])
        self.gate(0, "--update", says="forward.units absent -> 8")
        self.results[0] = result(measurements=[measured(units_per_call=4)])
        self.gate(1, says="a_fp32_b1 CPU: forward.units is 4, expected 8")


if __name__ == "__main__":
    unittest.main()
