"""//tools:roofline as a person calls it: its formats read back by other programs, and what it refuses."""

import csv
import io
import json
import os
import tempfile
import unittest
import xml.etree.ElementTree

from artifacts.fetch.redaction import printable
from tools.roofline import texts
from tools.roofline.program import main

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


class Texts(unittest.TestCase):
    def test_units(self):
        said = [texts.by_thousands(value) for value in (0, 999, 33_554_432, 999.96e6, 1e21)]
        self.assertEqual(said, ["-", "999", "33.55 M", "1 G", "1e+06 P"])
        said = [texts.size(value) for value in (0, 64, 3 << 20, 32 << 20, 480 << 20, 1 << 30)]
        self.assertEqual(said, ["-", "64 B", "3.00 MiB", "32.0 MiB", "480 MiB", "1.00 GiB"])
        said = [texts.duration(value) for value in (0, 614, 182.4e3, 25.27e6, 2.5e9)]
        self.assertEqual(said, ["-", "614 ns", "182.4 us", "25.27 ms", "2.5 s"])


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
        out, err = io.StringIO(), io.StringIO()
        ended = main(words, {"BUILD_WORKING_DIRECTORY": self.folder}, out, err)
        self.assertEqual(ended, code, err.getvalue())
        self.err = err.getvalue()
        return out.getvalue()

    def refused(self, part, *words, code=3):
        self.assertEqual(self.run_program(*words, code=code), "")
        self.assertIn(part, self.err)

    def test_table(self):
        out = self.run_program("runs.jsonl")
        self.assertRegex(out, r"mm +wall +fp32 +2 ms +100 M +977 KiB +100 +50 +0.5 +compute +50 +49.3 .. 50.7\n")
        for part in ("compute", "memory", "FAIL_ACCURACY", "cpu Model T, 2 threads", "compute 100 GFLOP/s"):
            self.assertIn(part, out)

    def test_json_and_csv_agree(self):
        rows = json.loads(self.run_program("runs.jsonl", "--format=json", "--sort", "share"))["rows"]
        self.assertEqual([row["roofline_share"] for row in rows], [0.5, 0.5, 0.1])
        table = list(csv.DictReader(io.StringIO(self.run_program("runs.jsonl", "--format=csv", "--sort=share"), newline="")))
        self.assertEqual([row["case"] for row in table], [printable(row["case"]) for row in rows])
        for row, other in zip(rows, table):
            self.assertEqual(list(row), list(other))
            self.assertEqual(row["bytes_per_s"], float(other["bytes_per_s"]))
        self.assertEqual(table[1]["flops_per_call"], "")
        self.assertEqual(table[0]["time_ns"], "2000000.0")

    def test_filter_and_sort(self):
        rows = json.loads(self.run_program("--filter=^(mm|add)$", "--sort=name", "--format=json", "runs.jsonl"))["rows"]
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
        root = xml.etree.ElementTree.fromstring(self.run_program("at.jsonl", "--format=svg"))
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
        self.refused("--filter: (: no regular expression", "runs.jsonl", "--filter=(")
        self.refused("--sort: invalid choice: 'speed'", "runs.jsonl", "--sort=speed")
        self.refused("--format: invalid choice: 'png'", "runs.jsonl", "--format=png")
        self.refused("--dtype: invalid choice: 'fp17'", "runs.jsonl", "--dtype=fp17")
        self.refused("--fliter=x", "runs.jsonl", "--fliter=x")
        self.refused("nowhere", "runs.jsonl", "--output=nowhere/plot.svg", code=2)
        self.refused("a plot is of one machine", "runs.jsonl", "machine.jsonl", "--format=svg")
        self.assertIn("several machines", self.run_program("runs.jsonl", "machine.jsonl"))

    def test_fields_of_other_types_are_left_out_and_said(self):
        good = record("mm", 2, 1e8, 1e6, environment={"cpu_model": "Model T", "threads": 2, "cpu_cache_bytes": "33554432"})
        bad = [
            {"peaks": {"a": 1}},
            {"measurements": [{**good["measurements"][0], "flops_per_call": "many"}]},
            {"measurements": [{**good["measurements"][0], "bytes_per_call": -1}]},
            {"measurements": [{**good["measurements"][0], "checks": ["steady"]}]},
            {"benchmark_case": {"name": 7, "dtype": "FP32"}},
        ]
        self.write("bad.jsonl", good, {**good, "peaks": None}, *({**good, **fields} for fields in bad))
        out = self.run_program("bad.jsonl")
        for line in range(3, 8):
            self.assertIn("bad.jsonl:%d: not a record" % line, out)
        self.assertEqual(out.count("\nmm "), 2)

    def test_a_torn_line_is_left_out_and_said(self):
        with open(os.path.join(self.folder, "runs.jsonl"), "a", encoding="utf-8") as f:
            f.write('{"schema_version":2,"bench')
        self.assertIn("runs.jsonl:4", self.run_program("runs.jsonl"))

    def test_a_name_that_stands_twice_is_left_out_and_said(self):
        with open(os.path.join(self.folder, "runs.jsonl"), "a", encoding="utf-8") as f:
            f.write('{"schema_version":2,"outcome":"CRASH","outcome":"PASS"}\n')
        self.assertIn("runs.jsonl:4: not a record: the name 'outcome' stands twice", self.run_program("runs.jsonl"))


if __name__ == "__main__":
    unittest.main()
