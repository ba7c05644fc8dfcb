"""A definition of FlashInfer-Trace goes through //tools:kernel with sources; the traces follow flashinfer-bench's schema.

    flashinfer_traces_test.py KERNEL EXAMPLES [PYTHON]

PYTHON runs the reference; this Python where it is not given.
"""

import datetime
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

_KERNEL, _EXAMPLES = sys.argv[1:3]
_PYTHON = os.path.abspath(sys.argv[3]) if sys.argv[3:] else sys.executable
_DEFINITION, _WORKLOAD = (os.path.join(_EXAMPLES, "rmsnorm_h128.json" + end) for end in ("", "l"))

_WITH_CORRECTNESS = {"PASSED", "INCORRECT_NUMERICAL"}
_STATUSES = _WITH_CORRECTNESS | {"INCORRECT_SHAPE", "INCORRECT_DTYPE", "RUNTIME_ERROR", "COMPILE_ERROR", "TIMEOUT"}
_INPUTS = {"random": set(), "scalar": {"value"}, "safetensors": {"path", "tensor_key"}}


class FlashInferTracesTest(unittest.TestCase):
    def check(self, trace):
        """The schema of flashinfer_bench 0.1.2, data/trace.py and data/workload.py: the names, and what each may be."""
        self.assertEqual(set(trace), {"definition", "workload", "solution", "evaluation"})
        self.assertTrue(trace["definition"] and trace["solution"])
        workload = trace["workload"]
        self.assertEqual(set(workload), {"uuid", "axes", "inputs"})
        self.assertTrue(isinstance(workload["uuid"], str) and workload["uuid"])
        for number in workload["axes"].values():
            self.assertTrue(isinstance(number, int) and number >= 0)
        for source in workload["inputs"].values():
            self.assertEqual(set(source) - {"type"}, _INPUTS[source["type"]])
        evaluation = trace["evaluation"]
        names = {"status", "environment", "timestamp", "log", "correctness", "performance"}
        self.assertEqual(set(evaluation), names)
        self.assertIn(evaluation["status"], _STATUSES)
        self.assertIsInstance(evaluation["log"], str)
        self.assertIsNotNone(datetime.datetime.fromisoformat(evaluation["timestamp"]).tzinfo)
        environment = evaluation["environment"]
        self.assertEqual(set(environment), {"hardware", "libs"})
        self.assertTrue(environment["hardware"] and all(isinstance(v, str) for v in environment["libs"].values()))
        correctness, performance = evaluation["correctness"], evaluation["performance"]
        self.assertEqual(correctness is not None, evaluation["status"] in _WITH_CORRECTNESS)
        self.assertEqual(performance is not None, evaluation["status"] == "PASSED")
        if correctness:
            self.assertEqual(set(correctness), {"max_relative_error", "max_absolute_error", "extra"})
            for name in ("max_relative_error", "max_absolute_error"):
                self.assertFalse(float(correctness[name]) < 0)  # a number, or "NaN", or "Infinity"
        if performance:
            self.assertEqual(set(performance), {"latency_ms", "reference_latency_ms", "speedup_factor"})
            self.assertTrue(all(math.isfinite(v) and v > 0 for v in performance.values()))

    def test_each_candidate_has_a_trace_for_each_workload(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with open(os.path.join(_EXAMPLES, "rmsnorm.cc"), encoding="utf-8") as file:
            right = file.read()
        factor = "const float factor = 1 / std::sqrt("
        self.assertIn(factor, right)
        sources = {
            "right": right,
            "infinite": right.replace(factor, "const float factor = 1 / 0.f * std::sqrt("),
            "broken": right.replace("const float factor", "const flaot factor"),
        }
        paths = []
        for name, text in sources.items():
            paths.append(os.path.join(folder.name, name + ".cc"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(text)
        out = os.path.join(folder.name, "traces.jsonl")
        words = [_KERNEL, *paths, "--flashinfer-trace=" + _DEFINITION, "--workload=" + _WORKLOAD, "--flashinfer-out=" + out,
                 "--python=" + _PYTHON, "--noasan", "--processes=2", "--budget=0.001", "--threads=1"]
        end = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False,
                             env=dict(os.environ, XDG_CACHE_HOME=folder.name))
        self.assertEqual(end.returncode, 1, end.stdout)
        with open(out, encoding="utf-8") as file:
            traces = [json.loads(line, parse_constant=self.fail) for line in file]
        for trace in traces:
            with self.subTest(trace=trace):
                self.check(trace)
        with open(_WORKLOAD, encoding="utf-8") as file:
            workloads = [json.loads(line)["workload"] for line in file]
        self.assertEqual([t["workload"] for t in traces], workloads * 3)
        self.assertEqual([t["solution"] for t in traces], [path for path in paths for _ in workloads])
        evaluations = [t["evaluation"] for t in traces]
        statuses = ["PASSED", "INCORRECT_NUMERICAL", "COMPILE_ERROR"]
        self.assertEqual([e["status"] for e in evaluations], [s for s in statuses for _ in workloads], end.stdout)
        for right, infinite, broken in zip(*(evaluations[i : i + 2] for i in (0, 2, 4))):
            self.assertLess(float(right["correctness"]["max_relative_error"]), 0.02)  # two roundings of bfloat16
            self.assertFalse(math.isfinite(float(infinite["correctness"]["max_absolute_error"])))
            self.assertIn("flaot", broken["log"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
