"""Series of GPUs of two cards and of the CPU: each has its own, whatever happens to the others."""

import copy
import io
import json
import unittest

from tools.history import program
from tools.results.test_files import ProgramTest, gpu_records, on_cpu

_H100, _H200, _HOST = "Simulated H100 80GB HBM3", "Simulated H200", "Simulated Host"
_LABEL = "//benchmarks/mlp:mlp_fp32_b64"


def runs_of(record, factors, **environment):
    """A run a day, each with a commit of its own and so many times as long."""
    for day, factor in enumerate(factors, 1):
        made = copy.deepcopy(record)
        made["started_utc"] = "2026-01-%02dT10:00:00+00:00" % day
        made["environment"].update(git_commit="%08x" % day + 32 * "0", **environment)
        for m in made["measurements"]:
            m["median_ns"] *= factor * (1 + day % 3 * 1e-3)
        yield made


class GpuHistoryTest(ProgramTest):
    def setUp(self):
        super().setUp()
        gpus = gpu_records()
        slower = [1.0] * 10 + [1.2] * 10
        self.write(
            "runs.jsonl",
            *runs_of(gpus[0], [1.0] * 20),
            *runs_of(gpus[5], slower),
            *runs_of(on_cpu(gpus[0]), [1.0] * 20),
        )
        self.history(0, "add", "runs.jsonl")

    def history(self, want, *words):
        out, err = io.StringIO(), io.StringIO()
        code = program.main(list(words), {"BUILD_WORKING_DIRECTORY": self.folder}, out, err)
        self.assertEqual(code, want, out.getvalue() + err.getvalue())
        self.out, self.err = out.getvalue(), err.getvalue()
        return self.out

    def show(self, *words):
        return json.loads(self.history(0, "show", *words, "--format=json"))

    def test_a_series_is_of_one_card(self):
        rows = {(row["device"], row["machine"], row["mode"]): row for row in self.show()}
        self.assertEqual({key[:2] for key in rows}, {("CUDA", _H100), ("CUDA", _H200), ("CPU", _HOST)})
        self.assertEqual({key[2] for key in rows if key[1] == _H100}, {"wall", "throughput", "cold", "hot", "graph", "enqueue"})
        self.assertEqual({key[2] for key in rows if key[1] == _HOST}, {"wall", "throughput"})
        changed = {key for key, row in rows.items() if row["change_percent"]}
        self.assertEqual(changed, {("CUDA", _H200, "wall"), ("CUDA", _H200, "cold")})
        self.assertEqual(rows["CUDA", _H200, "cold"]["points"], 20)
        self.assertEqual(rows["CUDA", _H200, "hot"]["left_out"], "20 FLAGGED")  # launch-bound
        self.assertEqual({row["flags"] for row in rows.values()}, {""})  # the device is no flag beside itself

    def test_a_driver_is_environment(self):
        self.write("newer.jsonl", *list(runs_of(gpu_records()[5], [1.0] * 20 + [0.5], gpu_driver="590.1"))[20:])
        self.history(0, "add", "newer.jsonl")
        points = [p for p in self.show("--points", "--mode=cold") if p["machine"] == _H200]
        self.assertEqual((len(points), points[-1]["environment"]), (21, "gpu_driver simulated -> 590.1"))

    def test_bisect_says_of_which_machine_the_slow_down_is(self):
        self.history(3, "bisect", _LABEL, "--repository=.", "--mode=cold")
        self.assertIn("the slow-down of 2026-01-11 on cuda %s\n" % _H200, self.out)
        self.assertIn("0000000a", self.err)  # this folder has no such commit

    def test_bisect_takes_no_slow_down_of_another_machine(self):
        self.write("cpu.jsonl", *runs_of(on_cpu(gpu_records()[0], slower=20), [1.0] * 10 + [1.5] * 10, node="b"))
        self.history(0, "add", "cpu.jsonl")
        self.history(3, "bisect", _LABEL, "--repository=.")
        self.assertIn("has slow-downs of %s on 2 machines: cpu %s, cuda %s; --machine=REGEX" % (_LABEL, _HOST, _H200), self.err)
        self.history(3, "bisect", _LABEL, "--repository=.", "--machine=h200")
        self.assertIn("on cuda %s\n" % _H200, self.out)
        self.history(2, "bisect", _LABEL, "--repository=.", "--machine=h100")
        self.assertIn("has no slow-down", self.err)
        self.history(3, "bisect", _LABEL, "--machine=(")


if __name__ == "__main__":
    unittest.main()
