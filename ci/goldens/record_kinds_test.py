"""A record of each kind of program, as the real programs write it today, in everything that reads records.

The headline step stands for a case, with that step's unit: a generation's time is not that of its prompt.
"""

import collections
import copy
import io
import json
import os
import subprocess
import tempfile
import unittest

from tools.history import program as history
from tools.report import program as report
from tools.results import program as results
from tools.roofline import program as roofline

_CASE = ["--budget=0.02", "--modes=wall"]
_PARAM = "benchmarks/operators/param/"
_BAG = os.path.abspath("tools/run_model/testdata/bag")
_ITEM = [_PARAM + "param", "-i", "3", "-w", "1", "-c"]
_Kind = collections.namedtuple("_Kind", "case headline unit command")
_KINDS = {
    "model": _Kind("mlp_fp32_b64", "forward", "row", ["benchmarks/mlp/mlp_fp32_b64", *_CASE]),
    "training": _Kind("mlp_fp32_b8_train", "train_step", "row", ["benchmarks/mlp/mlp_fp32_b8_train", *_CASE]),
    "generation": _Kind("gpt2_tiny_fp32_b1_s64_gen16", "generate", "token", ["benchmarks/gpt2/gpt2_tiny_fp32_b1_s64_gen16", *_CASE]),
    "operator": _Kind(
        "addmm_fp32_m64_k128_n96_backward", "backward", "", ["benchmarks/operators/addmm_fp32_m64_k128_n96_backward", *_CASE]
    ),
    "PARAM item": _Kind("torch.add|0|0|0", "forward", "", [*_ITEM, _PARAM + "configs/simple_add.json"]),
    "PARAM item with gradients": _Kind("torch.mm|0|0|0", "backward", "", [*_ITEM, _PARAM + "configs/simple_mm.json", "-b"]),
    "file": _Kind(
        "bag",
        "forward",
        "",
        ["tools/run_model/run_model", "--model=%s.pt2" % _BAG, "--inputs=%s_inputs.safetensors" % _BAG]
        + ["--reference=%s_outputs.safetensors" % _BAG, *_CASE],
    ),
}
_OF_A_CASE = ("model", "training", "generation", "operator")  # that a back end runs


def recorded(command, folder):
    """The record that a program writes, without what a busy machine does to it."""
    path = os.path.join(folder, "record.jsonl")
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "RUNFILES_DIR": os.environ["TEST_SRCDIR"]}
    words = [os.path.abspath(word) if os.path.exists(word) else word for word in command]
    done = subprocess.run([*words, "--record=" + path], cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError("%s: exit code %d\n%s%s" % (" ".join(command), done.returncode, done.stdout, done.stderr))
    with open(path, encoding="utf-8") as f:
        made = json.loads(f.read())
    os.remove(path)
    for measurement in made["measurements"]:
        measurement["checks"] = []
    return made


def slower(record, factor, others=1.0, **fields):
    """A copy whose headline step takes `factor` times as long, and whose other steps `others`."""
    made = {**copy.deepcopy(record), **fields}
    for measurement in made["measurements"]:
        by = factor if measurement.get("headline") else others
        for name in ("median_ns", "ci_low_ns", "ci_high_ns", "minimum_ns", "mean_ns"):
            if name in measurement:
                measurement[name] *= by
        measurement["samples_ns"] = [by * sample for sample in measurement.get("samples_ns", [])]
    return made


def by_torchscript(record):
    """As if another back end had run it: twice as fast where it counts, and ten times as slow elsewhere."""
    made = slower(record, 0.5, 10.0)
    made["benchmark_case"].setdefault("execution", {})["backend"] = "torchscript"
    made["configuration"]["digest"] = made["configuration"]["digest"][::-1]
    made["configuration"]["settings"]["backend"] = "torchscript"
    return made


class RecordKindsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.records = {name: recorded(kind.command, scratch.name) for name, kind in _KINDS.items()}
        # The headline of each kind, as the programs should have it.
        cls.headlines = {
            name: next(m for m in record["measurements"] if m["step"] == _KINDS[name].headline) for name, record in cls.records.items()
        }

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def write(self, name, *records):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as f:
            f.writelines(json.dumps(record) + "\n" for record in records)

    def run_program(self, main, *words):
        """The JSON that the program printed."""
        out, err = io.StringIO(), io.StringIO()
        code = main(list(words), {"BUILD_WORKING_DIRECTORY": self.folder}, out, err)
        self.assertEqual(code, 0, out.getvalue() + err.getvalue())
        return json.loads(out.getvalue()) if "--format=json" in words else None

    def rows(self, name):
        (table, *_) = self.run_program(report.main, "runs.jsonl", "--report=" + name, "--format=json")["tables"]
        return [dict(zip(table["columns"], row)) for row in table["rows"]]

    def test_the_record_marks_one_step(self):
        for name, record in self.records.items():
            marked = [(m["step"], m.get("unit", "")) for m in record["measurements"] if m.get("headline")]
            self.assertEqual(marked, [(_KINDS[name].headline, _KINDS[name].unit)], name)

    def test_the_database_has_its_rate(self):
        self.write("runs.jsonl", *self.records.values())
        self.run_program(results.main, "import", "runs.jsonl")
        asked = "select case_name, step, unit, units_per_s from results where headline"
        found = self.run_program(results.main, "query", asked, "--format=json")
        want = []
        for name, kind in _KINDS.items():
            m = self.headlines[name]
            rate = round(m["units_per_call"] / m["median_ns"] * 1e9, 3) if kind.unit else None
            want.append((kind.case, kind.headline, kind.unit, rate))
        got = [(r["case_name"], r["step"], r["unit"] or "", r["units_per_s"] and round(r["units_per_s"], 3)) for r in found]
        self.assertEqual(sorted(got, key=str), sorted(want, key=str))

    def test_a_page_shows_its_time(self):
        for name, kind in _KINDS.items():
            self.write("runs.jsonl", self.records[name])
            (row,) = self.rows("targets")
            (latency,) = (value for column, value in row.items() if column.startswith("Latency ms"))
            self.assertEqual(row["Case"], kind.case)
            self.assertAlmostEqual(latency, self.headlines[name]["median_ns"] / 1e6, places=6, msg=name)

    def test_tokens_a_second_are_those_of_generations_alone(self):
        self.write("runs.jsonl", *self.records.values())
        self.assertEqual(
            [(row["Model"], row["Test"]) for row in self.rows("tokens")],
            [("gpt2_tiny", test) for test in ("pp64", "tg16 @ d64", "pp64+tg16")],
        )

    def test_a_speedup_is_that_of_the_step(self):
        of_cases = [self.records[name] for name in _OF_A_CASE]
        self.write("runs.jsonl", *of_cases, *map(by_torchscript, of_cases))
        means = {row["Mode"]: row["Geomean speedup"] for row in self.rows("summary") if row["Backend"] == "torchscript"}
        self.assertEqual({mode: round(mean, 6) for mode, mean in means.items()}, {"generation": 2.0, "inference": 2.0, "training": 2.0})

    def test_a_history_has_a_series_of_it(self):
        self.write("runs.jsonl", *self.records.values())
        self.run_program(history.main, "add", "runs.jsonl")
        found = {(row["case_name"], row["step"], row["median_ns"]) for row in self.run_program(history.main, "show", "--format=json")}
        for name, kind in _KINDS.items():
            self.assertIn((kind.case, kind.headline, self.headlines[name]["median_ns"]), found)

    def test_a_roofline_has_a_row_of_it(self):
        self.write("runs.jsonl", *self.records.values())
        rows = self.run_program(roofline.main, "runs.jsonl", "--format=json")["rows"]
        for name, kind in _KINDS.items():
            shown = kind.case if kind.headline == "forward" else "%s/%s" % (kind.case, kind.headline)
            self.assertEqual([row["time_ns"] for row in rows if row["case"] == shown], [self.headlines[name]["median_ns"]], name)

    def test_a_comparison_names_case_and_step(self):
        for file, factor in (("old", 1.0), ("new", 1.5)):
            days = ["2026-01-%02dT00:00:00+00:00" % day for day in range(1, 7)]
            runs = [slower(r, factor + i * 1e-3, started_utc=day) for i, day in enumerate(days) for r in self.records.values()]
            self.write(file + ".jsonl", *runs)
        words = ["tools/compare/compare", "--baseline=%s/old.jsonl" % self.folder, "--candidate=%s/new.jsonl" % self.folder]
        said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        ended = {line.split()[0]: "SLOWER" in line for line in said.splitlines() if "/wall" in line}
        for kind in _KINDS.values():
            shown = "%s/wall" % kind.case + ("" if kind.headline == "forward" else "/" + kind.headline)
            self.assertIs(ended.get(shown), True, "%s in\n%s" % (shown, said))
        self.assertIs(ended["gpt2_tiny_fp32_b1_s64_gen16/wall/prefill"], False, said)


if __name__ == "__main__":
    unittest.main()
