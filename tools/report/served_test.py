"""Runs under load: a table for each case, the curve with its knee and its bound, and two sources beside each other."""

import copy
import json
import re
import unittest

from tools.report.fixtures import ReportTest
from tools.report.program_test import timed
from tools.results.test_files import decoder_records, served_records

# Asked and answered queries a second, and the median in ms: the most answered ones a second over the median at 4,000.
_RATES = ((8000, 5800, 300.0), (500, 500, 0.2), (1000, 1002, 0.22), (2000, 1995, 0.28), (4000, 3960, 0.5), (6000, 5700, 6.0))
_KNEE, _BOUND_MS, _PERCENTILES = 4000, 20.0, ((0.5, 1.0), (0.9, 2.5), (0.99, 7.0), (0.999, 11.0))


def curve(slower=1.0, flagged=(), **settings):
    """A record of rates that end in saturation: the last two miss p99 in 20 ms."""
    made = served_records()[1]
    made["configuration"] = {"digest": json.dumps(settings), "settings": {**made["configuration"]["settings"], **settings}}
    like, made["served"] = made["served"][-1], []
    for asked, answered, median in _RATES:
        latencies = [{"share": s, "ns": median * k * slower * 1e6, "certified_ns": median * k * slower * 1.1e6} for s, k in _PERCENTILES]
        rate = {**like, "asked_qps": asked, "queries_per_s": answered, "requests_per_s": answered, "percentiles": latencies}
        kept = 7 * median * slower <= _BOUND_MS
        rate.update(bound_ns=_BOUND_MS * 1e6, bound_share=0.99, within_bound=1.0 if kept else 0.25)
        rate["checks"] = [{"name": "generator_late", "status": "CHECK_FLAGGED"}] if asked in flagged else []
        made["served"].append(rate)
    return made


class ServedTest(ReportTest):
    def served(self, *records):
        """(rows as dictionaries, the table)"""
        self.write("a.jsonl", *records)
        (table,) = self.tables("a.jsonl", "--report=served")
        return [dict(zip(table["columns"], row)) for row in table["rows"]], table

    def page(self, *records):
        self.write("a.jsonl", *records)
        self.expect(0, "a.jsonl")
        return json.loads(self.read("report.html").split('<script id="data" type="application/json">')[1].split("</script>")[0])

    def test_a_row_for_each_rate_of_a_case(self):
        rows, table = self.served(*served_records())
        self.assertEqual(table["title"], "mlp_fp32_b64 under load")
        self.assertEqual(
            [(row["Scenario"], row["Asked/s"]) for row in rows],
            [("multi_stream", None), ("offline", None), ("single_stream", None)] + [("server", rate) for rate in (200, 1000, 4000, 100)],
        )
        multi, offline, *_, last, bound = rows
        self.assertEqual((round(multi["Answered/s"]), round(multi["Samples/s"])), (2179, 17430))
        self.assertEqual((offline["Samples/s"], offline["State"]), (None, "usable"))
        self.assertEqual((last["p99.9 ms"], last["Certified p99.9 ms"], last["Mark"]), (9.463053, 10.30423, "knee"))
        self.assertEqual(last["State"], "FLAGGED generator_late")
        self.assertEqual((bound["Bound"], bound["p99 ms"], bound["Replies"]), ("p99 KEPT: 100 % within 20 ms", None, "186 right"))
        self.assertNotIn("Called", table["columns"], "what differs has columns")

    def test_what_differs_beside_the_rate_is_told(self):
        rows, _ = self.served(curve(lowering="none"), curve(lowering="int8_weights"))
        self.assertEqual([row["Called"] for row in rows], ["lowering=int8_weights"] * 6 + ["lowering=none"] * 6)

    def test_the_knee_and_missed_bounds(self):
        rows, table = self.served(curve())
        self.assertEqual([row["Asked/s"] for row in rows], [500, 1000, 2000, 4000, 6000, 8000], "in the order of rates")
        self.assertEqual([row["Asked/s"] for row in rows if row["Mark"] == "knee"], [_KNEE])
        missed = {row["Asked/s"]: row["Bound"] for row in rows if "MISSED" in row["Bound"]}
        self.assertEqual(missed, dict.fromkeys((6000, 8000), "p99 MISSED: 25 % within 20 ms"))
        self.assertIn("knee: the rate with the most answered queries a second divided by the median latency", table["notes"])

    def test_bad_replies_and_outcomes_are_said(self):
        failed = curve()
        failed.update(outcome="FAIL_ACCURACY", served=failed["served"][:1])
        failed["served"][0].update(wrong_replies="2", lost_replies="1", equal_replies="5", close_replies="0", peak=True)
        (row,), table = self.served(failed)
        self.assertEqual((row["Replies"], row["State"], row["Mark"]), ("5 right, 2 WRONG, 1 LOST", "FAIL_ACCURACY", "peak"))
        self.assertEqual(len(table["notes"]), 1, "one rate has no knee")

    def test_a_decoder_has_times_of_tokens(self):
        alone, bounds = decoder_records()
        bounds["served"][1]["first_token"].append({"share": 0.99, "ns": 2e8, "certified_ns": 3e8})
        bounds["served"][0]["goodput"] = 0.0
        rows, table = self.served(alone, bounds)
        of_tokens = ("Tokens/s", "TTFT p50 ms", "TTFT p99 ms", "TPOT p50 ms", "TPOT p99 ms", "Goodput/s")
        self.assertEqual([rows[0].get(name) for name in of_tokens], [18.644270345142278, 65.771664, None, 22.664412, None, 0])
        self.assertEqual([rows[1].get(name) for name in of_tokens], [54.175030990787626, 153.030222, 200, 33.647612, None, 0.5920768414293729])
        self.assertEqual([row["LoadGen"] for row in rows], ["INVALID", "INVALID", ""], "without a bound it has nothing to judge by")
        self.assertIn("at least 6 more queries", rows[0]["Why INVALID"])
        self.assertIn("TTFT: the time to the first token", table["notes"][1])
        self.assertEqual(self.csv("a.jsonl", "--report=served")[0], table["columns"])
        for form in ("table", "markdown", "html"):
            said = self.expect(0, "a.jsonl", "--report=served", "--format=" + form) or self.read("report.html")
            self.assertIn("TTFT p99 ms", said)
            self.assertNotIn("at least 6 more queries", said)

    def test_a_case_that_is_no_decoder_has_no_such_columns(self):
        rows, table = self.served(*served_records())
        self.assertEqual([name for name in table["columns"] if name.startswith(("Tokens", "TTFT", "TPOT", "Goodput"))], [])
        self.assertEqual([row["LoadGen"] for row in rows], ["VALID", "INVALID", "VALID", "", "", "", "INVALID"])
        self.assertEqual(len(table["notes"]), 2)

    def test_no_case_was_served(self):
        self.write("a.jsonl", timed("mlp", 100, 99, 101))
        (table,) = self.tables("a.jsonl", "--report=served")
        self.assertEqual((table["rows"], table["notes"]), ([], ["no case was served under load: give one --scenario"]))
        self.expect(2, "a.jsonl", "--report=served", "--format=svg")
        self.assertIn("nothing to draw: no case was served under load", self.err)
        self.assertNotIn("under load", self.expect(0, "a.jsonl"))

    def test_the_summary_counts_them_and_has_the_table(self):
        self.write("a.jsonl", *served_records(), timed("mlp", 100, 99, 101, environment=served_records()[0]["environment"]))
        said = self.expect(0, "a.jsonl", "--report=summary")
        self.assertIn("left out of every mean: 5 of the runs (5 under load)", said)
        self.assertNotIn("no time", said)
        self.assertIn("100 %, 6/6", said)
        self.assertRegex(said, r"(?s)\nmlp_fp32_b64 under load\nScenario .*\nserver +4000 +4032 ")
        late = served_records()[0]
        late.update(outcome="FAIL_LATENCY")
        self.write("a.jsonl", late)
        summary, warnings, _ = self.tables("a.jsonl", "--report=summary")
        self.assertEqual([row[4:6] for row in warnings["rows"]], [["the latency bound was missed", "FAIL_LATENCY"]])

    def test_a_run_that_was_timed_stays_so(self):
        """A record with a time and with rates has both."""
        both = timed("mlp", 100, 99, 101, served=served_records()[0]["served"])
        self.write("a.jsonl", both)
        summary, *_, under_load = self.tables("a.jsonl", "--report=summary")
        self.assertEqual(summary["left_out"], {})
        self.assertEqual(under_load["title"], "mlp under load")

    def test_the_page_has_the_table_and_the_curve(self):
        page = self.page(curve(flagged=(6000,)))
        self.assertEqual(page["reasons"].count("under load"), 1)
        self.assertEqual([table["title"] for table in page["tables"]][0], "mlp_fp32_b64 under load")
        (picture,) = [one for one in page["pictures"] if one["kind"] == "curve"]
        self.assertEqual((picture["tab"], picture["reference"]), ("mlp_fp32_b64 under load", _BOUND_MS))
        self.assertIn("the latency bound, 20 ms; 1 of 6 rates are FLAGGED", picture["title"])
        series = {one["name"]: one for one in picture["series"]}
        self.assertEqual(list(series), ["p50", "p90", "p99", "p99.9", "knee", "bound missed"])
        self.assertEqual((series["p99"]["x"], "mark" in series["p99"]), ([500, 1002, 1995, 3960, 5700, 5800], False))
        self.assertEqual(series["p50"]["y"], [0.2, 0.22, 0.28, 0.5, 6, 300])
        self.assertEqual((series["knee"]["x"], series["knee"]["y"], series["knee"]["mark"]), ([3960], [0.5], "o"))
        self.assertEqual((series["bound missed"]["x"], series["bound missed"]["y"]), ([5700, 5800], [42, 2100]))

    def test_runs_of_one_rate_have_no_curve(self):
        one = curve()
        one["served"] = one["served"][:1]
        self.assertEqual([p for p in self.page(one)["pictures"] if p["kind"] == "curve"], [])

    def test_several_curves_of_a_case_lie_in_one_picture(self):
        page = self.page(curve(workers="1", lowering="none"), curve(0.5, workers="2", lowering="int8_weights"))
        (picture,) = [one for one in page["pictures"] if one["kind"] == "curve"]
        names = [one["name"] for one in picture["series"]]
        self.assertEqual(len(names), 8)
        for name in ("p50 lowering=none workers=1", "bound missed lowering=int8_weights workers=2"):
            self.assertIn(name, names)
        for settings, name in ((("workers", "1", "2"), "p99 workers=2"), (("qps", "1,2", "3,4"), "p99 qps=3,4")):
            setting, one, other = settings
            page = self.page(curve(**{setting: one}), curve(0.5, **{setting: other}))
            (picture,) = [one for one in page["pictures"] if one["kind"] == "curve"]
            self.assertIn(name, [one["name"] for one in picture["series"]])

    def test_every_form_of_picture(self):
        self.write("a.jsonl", curve())
        words = ("a.jsonl", "--report=served")
        self.assertGreater(self.expect(0, *words, "--format=svg").count('id="ytick_'), 20, "a logarithmic axis has minor ticks")
        self.expect(0, *words, "--format=png", "--out=a.png")
        with open(self.path("a.png"), "rb") as f:
            self.assertEqual(f.read(4), b"\x89PNG")
        drawn = self.expect(0, *words, "--format=ascii")
        self.assertIn("bound missed", drawn)
        ticks = [float(tick) for tick in re.findall(r"\n *([\d.e]+)[┤┼]", drawn)]
        self.assertGreater(sum(tick < 10 for tick in ticks), 1, "on another axis only the lowest one is so low: %s" % ticks)

    def test_the_first_case_that_has_a_curve_is_drawn(self):
        alone, other = served_records()[0], curve()
        alone["benchmark_case"]["name"], other["benchmark_case"]["name"] = "a", "b"
        self.write("a.jsonl", alone, other)
        self.assertIn("b under load", self.expect(0, "a.jsonl", "--report=served", "--format=ascii"))


class ChangesTest(ReportTest):
    def changed(self, old, new, code=0):
        self.write("old.jsonl", *old)
        self.write("new.jsonl", *new)
        return self.tables("old.jsonl", "new.jsonl", "--report=changes", code=code)

    def later(self, record):
        made = copy.deepcopy(record)
        made["started_utc"] = "2026-12-01T00:00:00+00:00"
        return made

    def test_latencies_stand_beside_each_other_and_decide_nothing(self):
        decisions, table = self.changed([curve()], [self.later(curve(1.5))])
        self.assertEqual([row[-2:] for row in decisions["rows"]], [["NOT_COMPARED", "under load: the next table has its latencies"]])
        rows = [dict(zip(table["columns"], row)) for row in table["rows"]]
        self.assertEqual([row["Asked/s"] for row in rows], [500, 1000, 2000, 4000, 6000, 8000])
        for row in rows:
            self.assertAlmostEqual(row["New/old p99"], 1.5)
            self.assertAlmostEqual(row["Old certified p99 ms"], 1.1 * row["Old p99 ms"])
            self.assertAlmostEqual(row["New certified p99 ms"], 1.1 * row["New p99 ms"])
        self.assertIn("no row is a decision", table["notes"][0])
        self.assertNotIn("SLOWER", json.dumps([decisions["rows"], table]))

    def test_a_missed_bound_fails(self):
        good = served_records()[0]
        late = self.later(good)
        late["outcome"] = "FAIL_LATENCY"
        late["served"][0]["within_bound"] = 0.5
        decisions, table = self.changed([good], [late], code=1)
        self.assertEqual([row[-2:] for row in decisions["rows"]], [["FAILED", "FAIL_LATENCY, before PASS"]])
        row = dict(zip(table["columns"], table["rows"][0]))
        self.assertEqual((row["Old bound"], row["New bound"]), ("p99 KEPT: 100 % within 20 ms", "p99 MISSED: 50 % within 20 ms"))
        self.assertEqual(row["New/old p99"], None, "186 queries are too few for p99")
        self.assertEqual(row["Flagged"], "old: generator_late; new: generator_late")

    def test_rates_of_one_side_are_counted_and_peaks_are_compared(self):
        old, new = curve(), self.later(curve())
        for made, place, asked in ((old, 0, 5000), (new, 5, 5500)):
            made["served"][place].update(peak=True, asked_qps=asked)
        _, table = self.changed([old], [new])
        rows = [dict(zip(table["columns"], row)) for row in table["rows"]]
        self.assertIn((5500, 5800, 5700), [(row["Asked/s"], row["Old answered/s"], row["New answered/s"]) for row in rows])
        self.assertIn("2 rates of one side alone are left out", table["notes"])

    def test_a_run_without_load_has_no_such_table(self):
        (table,) = self.changed([timed("mlp", 100, 99, 101)], [timed("mlp", 120, 119, 121, started_utc="2027-01-01T00:00:00+00:00")])
        self.assertEqual(table["rows"][0][-2], "SLOWER")


if __name__ == "__main__":
    unittest.main()
