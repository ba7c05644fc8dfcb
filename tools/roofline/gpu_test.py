"""The rows of a GPU are compared with the peaks and the cache of that card, by the time of its own timer."""

import copy
import io
import json
import unittest

from tools.results import test_files
from tools.roofline.program import main

_H100, _H200 = "cuda Simulated H100 80GB HBM3", "cuda Simulated H200"
_CPU = "cpu Simulated Host, 8 threads"


class GpuRooflineTest(test_files.ProgramTest):
    def setUp(self):
        super().setUp()
        self.gpus = test_files.gpu_records()
        self.cpu = test_files.on_cpu(self.gpus[0])

    def run_program(self, *words):
        out, err = io.StringIO(), io.StringIO()
        code = main(words, {"BUILD_WORKING_DIRECTORY": self.folder}, out, err)
        return code, out.getvalue(), err.getvalue()

    def analysis(self, *records, words=()):
        self.write("runs.jsonl", *records)
        return json.loads(self.expect(0, "runs.jsonl", "--format=json", *words))

    def rows(self, *records, words=()):
        return {(row["machine"], row["case"]): row for row in self.analysis(*records, words=words)["rows"]}

    def test_each_card_has_its_own_roof(self):
        found = self.analysis(*self.gpus, self.cpu)
        roofs = {(r["machine"], r["dtype"]): (r["compute_flops"]["per_s"], r["memory_bytes"]["per_s"]) for r in found["roofs"]}
        self.assertEqual(
            roofs,
            {
                (_H100, "fp32"): (50e12, 2.5e12),
                (_H100, "bf16"): (740e12, 2.5e12),
                (_H200, "fp32"): (50e12, 3.6e12),
                (_H200, "bf16"): (740e12, 3.6e12),
                (_CPU, "fp32"): (50e10, 2.5e10),
            },
        )
        self.assertEqual(found["machines"], [_H100, _H200, _CPU])
        shares = {row["machine"]: row["roofline_share"] for row in found["rows"] if row["case"] == "mlp_bf16_b64"}
        bytes_moved = self.gpus[1]["measurements"][1]["bytes_per_call"]
        for machine, card, per_ns in ((_H100, self.gpus[1], 2500), (_H200, self.gpus[6], 3600)):
            cold = next(m for m in card["measurements"] if m["mode"] == "cold")
            self.assertAlmostEqual(shares[machine], bytes_moved / per_ns / cold["median_ns"], places=9)

    def test_the_time_is_that_of_the_gpus_timer(self):
        found = self.analysis(*self.gpus, self.cpu)
        self.assertIn("10 rows are slowed in mode wall by the host, which queues the work: --mode=wall shows them so", found["notes"])
        rows = {(row["machine"], row["case"]): row for row in found["rows"]}
        modes = {machine: {row["mode"] for (of, _), row in rows.items() if of == machine} for machine in (_H100, _H200, _CPU)}
        self.assertEqual(modes, {_H100: {"cold"}, _H200: {"cold"}, _CPU: {"wall"}})
        row = rows[_H100, "mlp_fp32_b64"]
        self.assertEqual((row["bound"], row["marks"]), ("compute", []))
        row = self.rows(*self.gpus, words=["--mode=wall"])[_H100, "mlp_fp32_b64"]
        self.assertEqual((row["bound"], row["marks"]), ("launch", []))
        self.assertEqual(self.rows(*self.gpus, words=["--mode=hot"])[_H100, "mlp_fp32_b64"]["marks"], ["FLAGGED launch_bound"])

    def test_wall_where_there_is_no_cold(self):
        only = copy.deepcopy(self.gpus[0])
        only["measurements"] = [m for m in only["measurements"] if m["mode"] != "cold"]
        self.assertEqual(self.rows(only)[_H100, "mlp_fp32_b64"]["mode"], "wall")

    def test_peaks_are_borrowed_from_the_same_card_alone(self):
        without = [copy.deepcopy(self.gpus[5]), copy.deepcopy(self.gpus[0])]
        for record in without:
            del record["peaks"]
        self.write("h100.jsonl", self.gpus[4])
        found = self.analysis(*without, words=["--peaks=h100.jsonl"])
        shares = {row["machine"]: row["roofline_share"] is not None for row in found["rows"]}
        self.assertEqual(shares, {_H200: False, _H100: True})
        self.assertIn("there are none of %s, fp32" % _H200, " ".join(found["notes"]))

    def test_the_cache_is_the_cards(self):
        """55 MiB at 1.2 times the peak of memory: the H100's L2 of 50 MiB can hold a part, the H200's of 60 MiB all."""
        said = {}
        for record, name, per_ns in ((self.gpus[0], _H100, 2500), (self.gpus[5], _H200, 3600)):
            record = copy.deepcopy(record)
            for m in record["measurements"]:
                m.update(flops_per_call=0, bytes_per_call=55 * 2**20)
                for field in ("median_ns", "ci_low_ns", "ci_high_ns"):
                    m[field] = 55 * 2**20 / per_ns / 1.2
            (said[name],) = self.rows(record, words=["--mode=wall"])[name, "mlp_fp32_b64"]["marks"]
            (unsaid,) = self.rows(record, words=["--mode=cold"])[name, "mlp_fp32_b64"]["marks"]
            self.assertEqual(unsaid, "above the roof, no reason found")
        self.assertEqual(said[_H100], "above the roof, the last cache can hold 50.0 MiB of 55.0 MiB")
        self.assertEqual(said[_H200], "above the roof, fits the last cache (55.0 MiB of 60.0 MiB)")

    def test_a_person_reads_tera(self):
        self.write("runs.jsonl", *self.gpus)
        out = self.expect(0, "runs.jsonl")
        self.assertIn("peaks      bf16: compute 740 TFLOP/s (written by hand), stream 3.6 TB/s (written by hand)", out)
        self.assertNotRegex(out, r"\de\+")

    def test_a_plot_is_of_one_card(self):
        self.write("two.jsonl", *self.gpus)
        self.expect(3, "two.jsonl", "--format=svg")
        self.assertIn("a plot is of one machine, and these records are of 2: %s; %s" % (_H100, _H200), self.err)
        self.write("one.jsonl", *self.gpus[:5])
        plot = self.expect(0, "one.jsonl", "--format=svg")
        self.assertIn("Simulated H100 80GB HBM3", plot)
        self.assertNotRegex(plot, r">[^<]*\de\+\d")


if __name__ == "__main__":
    unittest.main()
