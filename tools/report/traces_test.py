"""Replays of execution traces: coverage and checks, shares of the recorded time, and operators beside the roof."""

import copy
import json
import unittest

from tools.report.fixtures import ReportTest
from tools.results.test_files import real_record, trace_record


class TracesTest(ReportTest):
    def found(self, *records):
        self.write("a.jsonl", *records)
        return self.tables("a.jsonl", "--report=traces", "--unverified")

    @staticmethod
    def rows(table):
        return [dict(zip(table["columns"], row)) for row in table["rows"]]

    def test_coverage_checks_and_shares(self):
        replay = trace_record()["trace_replay"]
        summary, work = self.found(trace_record())
        (row,) = self.rows(summary)
        self.assertEqual((row["Case"], row["State"]), ("mlp_fp32_b8_train_train_step", "PASS"))
        self.assertEqual((row["Operators"], row["Covered %"], row["Of time %"]), (int(replay["operators"]), 100, 100))
        self.assertEqual((row["Results"], row["Equal"], row["Near"]), (int(replay["results"]), int(replay["equal_results"]), 0))
        span = int(replay["span_ns"])
        self.assertAlmostEqual(row["Idle %"], 100 * (span - int(replay["busy_ns"])) / span)
        self.assertAlmostEqual(row["Short %"], 100 * int(replay["short_ns"]) / span)
        self.assertAlmostEqual(row["Engine %"], 100 * int(replay["engine_ns"]) / span)
        self.assertEqual((row["Overlap %"], row["Lost"]), (0, ""))
        self.assertEqual(work["title"], "Operators of the trace mlp_fp32_b8_train_train_step")

    def test_the_roof_and_what_is_above_it(self):
        record = trace_record()
        record["peaks"] = [{"name": name, "dtype": "FP32", "per_s": per_s} for name, per_s in (("compute", 1e11), ("read", 1e10), ("stream", 5e9))]
        record["trace_replay"]["work"] = [
            {"name": "aten::view", "calls": "9", "ns": "8000"},
            {"name": "aten::add", "calls": "2", "ns": "5000", "bytes": 40000.0},  # 4 us at 10 GB/s
            {"name": "aten::mm", "calls": "1", "ns": "4000", "flops": 2e5, "bytes": 1e4},  # 2 us at 100 GFLOP/s
        ]
        rows = self.rows(self.found(record)[1])
        self.assertEqual([row["Operator"] for row in rows], ["aten::mm", "aten::add", "aten::view"], "the most time above the roof first")
        self.assertEqual([row["Of the roof %"] for row in rows], [50, 80, None])
        self.assertEqual([row["Above the roof ms"] for row in rows], [0.002, 0.001, None])
        self.assertEqual((rows[0]["GFLOP/s"], rows[1]["GB/s"]), (50, 8))
        del record["peaks"]
        work = self.found(record)[1]
        self.assertNotIn("Of the roof %", work["columns"])
        self.assertIn("--peaks adds", work["notes"][0])

    def test_losses_and_a_trace_without_times(self):
        record = trace_record()
        record["outcome"] = record["verdict"]["outcome"] = "NOT_VERIFIED"
        record["trace_replay"] = {
            "operators": "4",
            "covered": "2",
            "calls": "2",
            "results": "2",
            "lost": [{"name": "triton_1", "reason": "a Triton kernel", "calls": "2", "first_node": "16"}],
        }
        (summary,) = self.found(record)
        (row,) = self.rows(summary)
        self.assertEqual((row["Covered %"], row["Of time %"], row["Equal"], row["Idle %"]), (50, None, None, None))
        self.assertEqual((row["Lost"], row["State"]), ("triton_1 (2): a Triton kernel", "NOT_VERIFIED"))

    def test_texts_that_a_record_leaves_out(self):
        record = trace_record()
        record["peaks"] = [{}]
        record["trace_replay"].update(lost=[{"calls": "2"}], work=[{"calls": "1", "ns": "5"}])
        summary, work = self.found(record)
        self.assertEqual(self.rows(summary)[0]["Lost"], " (2): ")
        self.assertEqual(self.rows(work)[0]["Operator"], "")

    def test_machines_are_told_apart(self):
        other = trace_record()
        other["environment"]["cpu_model"] = "Xeon"
        summary, *works = self.found(trace_record(), other)
        names = ["mlp_fp32_b8_train_train_step on %s, 1 threads" % cpu for cpu in ("AMD EPYC", "Xeon")]
        self.assertEqual([row["Case"] for row in self.rows(summary)], names)
        self.assertEqual([work["title"] for work in works], ["Operators of the trace " + name for name in names])

    def test_the_page_has_them_and_other_runs_have_nothing(self):
        self.write("a.jsonl", trace_record())
        self.write("b.jsonl", real_record())
        titles = {}
        for name in ("a.jsonl", "b.jsonl"):
            self.expect(0, name)
            page = json.loads(self.read("report.html").split('<script id="data" type="application/json">')[1].split("</script>")[0])
            titles[name] = [table["title"] for table in page["tables"]]
        self.assertIn("Replays of traces", titles["a.jsonl"])
        self.assertIn("Operators of the trace mlp_fp32_b8_train_train_step", titles["a.jsonl"])
        self.assertNotIn("Replays of traces", titles["b.jsonl"])
        (nothing,) = self.found(real_record())
        self.assertEqual(nothing["rows"], [])
        self.assertIn("no run replays an execution trace", nothing["notes"][0])

    def test_the_last_run_counts(self):
        later = copy.deepcopy(trace_record())
        later["started_utc"] = "2099-01-01T00:00:00Z"
        later["trace_replay"]["covered"] = "0"
        (row,) = self.rows(self.found(trace_record(), later)[0])
        self.assertEqual(row["Covered %"], 0)


if __name__ == "__main__":
    unittest.main()
