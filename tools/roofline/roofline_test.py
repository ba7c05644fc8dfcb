"""//tools:roofline as a person calls it: its formats read back by other programs, and what it refuses."""

import csv
import io
import json
import os
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAM = os.path.abspath("tools/roofline/roofline")
_SVG = "{http://www.w3.org/2000/svg}"
_PEAKS = [
    {"name": "compute", "dtype": "FP32", "per_s": 100e9, "ci_low_per_s": 99e9, "ci_high_per_s": 101e9, "probe": "mm"},
    {"name": "stream", "dtype": "FP32", "per_s": 10e9, "ci_low_per_s": 9.9e9, "ci_high_per_s": 10.1e9, "probe": "copy_"},
]


def record(name, milliseconds, flops, bytes_moved, **more):
    measurement = {
        "mode": "wall", "step": "forward", "samples_ns": [milliseconds * 1e6], "median_ns": milliseconds * 1e6,
        "ci_low_ns": milliseconds * 0.99e6, "ci_high_ns": milliseconds * 1.01e6,
        "flops_per_call": flops, "bytes_per_call": bytes_moved,
    }
    return {
        "schema_version": 2, "benchmark_case": {"name": name, "dtype": "FP32"}, "device": "CPU", "outcome": "PASS",
        "environment": {"cpu_model": "Model T", "threads": 2}, "measurements": [measurement], "peaks": _PEAKS, **more,
    }


RECORDS = [
    record("mm", 2, 1e8, 1e6),
    record("add", 0.6, 0, 3e6),
    record('<&"a>\u0001\n\u00e9', 1, 1e6, 1e6, outcome="FAIL_ACCURACY"),
]


class Roofline(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("runs.jsonl", *RECORDS)

    def write(self, name, *records):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as f:
            f.writelines(json.dumps(r) + "\n" for r in records)

    def run_program(self, *words, code=0):
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, encoding="utf-8", check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def refused(self, part, *words, code=3):
        done = self.run_program(*words, code=code)
        self.assertEqual(done.stdout, "")
        self.assertIn(part, done.stderr)

    def test_table(self):
        out = self.run_program("runs.jsonl").stdout
        for part in ("compute", "memory", "FAIL_ACCURACY", "cpu Model T, 2 threads", "compute 100 GFLOP/s"):
            self.assertIn(part, out)

    def test_json_and_csv_agree(self):
        rows = json.loads(self.run_program("runs.jsonl", "--format=json", "--sort", "share").stdout)["rows"]
        self.assertEqual([row["roofline_share"] for row in rows], [0.5, 0.5, 0.1])
        table = list(csv.DictReader(io.StringIO(self.run_program("runs.jsonl", "--format=csv", "--sort=share").stdout, newline="")))
        self.assertEqual([row["case"] for row in table], [row["case"] for row in rows])
        for row, other in zip(rows, table):
            self.assertEqual(list(row), list(other))
            self.assertEqual(row["bytes_per_s"], float(other["bytes_per_s"]))
        self.assertEqual(table[1]["flops_per_call"], "")

    def test_filter_and_sort(self):
        rows = json.loads(self.run_program("--filter=^(mm|add)$", "--sort=name", "--format=json", "runs.jsonl").stdout)["rows"]
        self.assertEqual([row["case"] for row in rows], ["add", "mm"])

    def test_plot_is_xml_with_a_point_for_each_row(self):
        self.run_program("runs.jsonl", "--format=svg", "--output=plot.svg")
        root = xml.etree.ElementTree.parse(os.path.join(self.folder, "plot.svg")).getroot()
        self.assertEqual(root.tag, _SVG + "svg")
        titles = [t.text for t in root.iter(_SVG + "title")]
        self.assertEqual(len(titles), len(RECORDS))
        self.assertTrue(any("50 GFLOP/s, 100 FLOP/byte" in t and "50 %" in t for t in titles), titles)
        self.assertTrue(any(t.startswith('<&"a>') for t in titles), titles)
        roofs = [e for e in root.iter() if e.get("class") == "roof"]
        self.assertEqual(sorted(e.tag for e in roofs), [_SVG + "line", _SVG + "polyline"])

    def test_points_lie_where_the_roof_says(self):
        """A row at exactly the roof lies on its line."""
        self.write("at.jsonl", record("on the flat", 1, 1e8, 1e6), record("on the slope", 1, 1e7, 1e7))
        root = xml.etree.ElementTree.fromstring(self.run_program("at.jsonl", "--format=svg").stdout)
        (line,) = [e for e in root.iter(_SVG + "polyline") if e.get("class") == "roof"]
        (x1, y1), (x2, y2), (_, y3) = [tuple(map(float, p.split(","))) for p in line.get("points").split()]
        groups = {g.find(_SVG + "title").text.split("\n")[0]: g for g in root.iter(_SVG + "g")}
        flat = groups["on the flat"].find(_SVG + "circle") if groups["on the flat"].find(_SVG + "circle") is not None else None
        self.assertIsNotNone(flat)
        self.assertAlmostEqual(float(flat.get("cy")), y3, delta=0.2)
        square = groups["on the slope"].find(_SVG + "rect")
        x, y = float(square.get("x")) + 5, float(square.get("y")) + 5
        self.assertAlmostEqual(y, y1 + (y2 - y1) * (x - x1) / (x2 - x1), delta=0.5)

    def test_refuses_with_the_reason(self):
        self.write("empty.jsonl")
        self.write("other.jsonl", {"operator": "aten::add"})
        self.write("footer.jsonl", {"schema_version": 2, "suite_run": {"id": "x"}})
        self.write("unknown.jsonl", record("mm", 2, 0, 0))
        self.write("machine.jsonl", record("mm", 2, 1e8, 1e6, environment={"cpu_model": "Model A", "threads": 2}))
        self.refused("which records?")
        self.refused("check the name", "nowhere.jsonl")
        self.refused("holds no records", "empty.jsonl")
        self.refused("other.jsonl:1", "other.jsonl")
        self.refused("holds no records", "footer.jsonl")  # but the end of a suite
        self.refused("no record is left", "runs.jsonl", "--filter=nothing")
        self.refused("operations or bytes are known", "unknown.jsonl")
        self.refused("--filter=(: no regular expression", "runs.jsonl", "--filter=(")
        self.refused("one of share, time", "runs.jsonl", "--sort=speed")
        self.refused("one of table, csv, json, svg", "runs.jsonl", "--format=png")
        self.refused("a dtype such as", "runs.jsonl", "--dtype=fp17")
        self.refused("unknown flag --fliter", "runs.jsonl", "--fliter=x")
        self.refused("nowhere", "runs.jsonl", "--output=nowhere/plot.svg", code=2)
        self.refused("a plot is of one machine", "runs.jsonl", "machine.jsonl", "--format=svg")
        self.assertIn("several machines", self.run_program("runs.jsonl", "machine.jsonl").stdout)

    def test_a_torn_line_is_left_out_and_said(self):
        with open(os.path.join(self.folder, "runs.jsonl"), "a", encoding="utf-8") as f:
            f.write('{"schema_version":2,"bench')
        self.assertIn("runs.jsonl:4", self.run_program("runs.jsonl").stdout)


if __name__ == "__main__":
    unittest.main()
