"""Records of runs under load (--scenario): a row for each rate, from JSON lines to every format and back."""

import csv
import io
import json
import os
import sqlite3
import unittest

import orjson

from tools.results import columns
from tools.results.test_files import ProgramTest, decoder_records, served_records

# Ways in which a record does not say what was served.
_WRONG = (
    ({"queries": "many"}, "malformed"),
    ({"queries_per_s": -1.0}, "bad number"),
    ({"percentiles": [{"share": 0.5, "ns": -1.0}]}, "bad number"),
    ({"checks": "none"}, "Expected `array` - at `$.served[...].checks`"),
    ({"scenario": 7}, "malformed"),
    ({"tokens": "many"}, "malformed"),
    ({"first_token": [{"share": 0.5, "ns": -1.0}]}, "bad number"),
    ({"goodput": -1.0}, "bad number"),
)
_OF_TOKENS = ["tokens_per_s", "first_token_p50_ns", "first_token_p99_ns", "per_token_p50_ns", "per_token_p99_ns", "goodput"]


class ServedTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.records = served_records()
        self.write("served.jsonl", *self.records)

    def served(self, *words):
        return json.loads(self.expect(0, "query", "served", "--format=json", *words))

    def imported(self, *records, samples="yes"):
        """The rows of a new database."""
        self.write("runs.jsonl", *records)
        if os.path.exists(self.path("results.sqlite")):
            os.remove(self.path("results.sqlite"))
        self.expect(0, "import", "runs.jsonl", "--samples=" + samples)
        return self.served()

    def test_there_is_nothing_to_complain_of(self):
        self.assertIn("5 records, 5 of no suite, 0 footers; nothing wrong", self.expect(0, "check", "served.jsonl"))
        self.assertIn("5 new records, 0 known, 0 footers, 0 refused", self.expect(0, "import", "served.jsonl"))
        self.assertEqual(self.err, "")

    def test_a_row_for_each_rate(self):
        found = {(row["scenario"], row["asked_qps"]): row for row in self.imported(*self.records)}
        self.assertEqual(
            set(found),
            {("server", 100), ("server", 200), ("server", 1000), ("server", 4000)}
            | {(name, None) for name in ("single_stream", "multi_stream", "offline")},
        )
        for record in self.records:
            for rate in record["served"]:
                row = found[rate["scenario"], rate.get("asked_qps")]
                self.assertEqual((row["queries_per_s"], row["requests_per_s"]), (rate["queries_per_s"], rate["requests_per_s"]))
                of = {one["share"]: (one["ns"], one["certified_ns"]) for one in rate["percentiles"]}
                for name, share in (("p90", 0.9), ("p99", 0.99), ("p999", 0.999)):
                    got = (row[name + "_ns"], row["certified_%s_ns" % name])
                    self.assertEqual(got, of.get(share, (None, None)), (name, row))
                self.assertEqual(row["p50_ns"], of[0.5][0])
                right = int(rate.get("equal_replies", 0)) + int(rate.get("close_replies", 0))
                self.assertEqual((row["right"], row["wrong"], row["lost"], row["doubled"]), (right, 0, 0, 0))
                flagged = [check["name"] for check in rate["checks"] if check["status"] == "CHECK_FLAGGED"]
                self.assertEqual(row["flagged"], " ".join(flagged) or None)
                self.assertEqual((row["workers"], row["max_batch"], row["outcome"]), (1, 64, "PASS"))
        self.assertEqual(found["server", 200]["flagged"], "generator_late rate_reached")
        kept = {key: row["kept"] for key, row in found.items() if row["kept"]}
        self.assertEqual(kept, {("server", 100): "yes"}, "the others have no bound")
        self.assertIn("qps=200,1000,4000", found["server", 200]["called"])

    def test_a_missed_bound_and_wrong_replies(self):
        missed = self.records[0]
        missed["outcome"] = "FAIL_LATENCY"
        missed["served"][0].update(within_bound=0.98, wrong_replies="2", lost_replies="1", doubled_replies="3")
        (row,) = self.imported(missed)
        self.assertEqual((row["kept"], row["wrong"], row["lost"], row["doubled"], row["outcome"]), ("no", 2, 1, 3, "FAIL_LATENCY"))
        del missed["served"][0]["within_bound"]  # a share of 0
        self.assertEqual(self.imported(missed)[0]["kept"], "no")

    def test_a_share_of_another_rounding_is_the_same_percentile(self):
        self.assertNotEqual(99.9 / 100, 0.999)
        self.records[0]["served"][0]["percentiles"].append({"share": 99.9 / 100, "ns": 7.0, "certified_ns": 8.0})
        (row,) = self.imported(self.records[0])
        self.assertEqual((row["p999_ns"], row["certified_p999_ns"]), (7, 8))

    def test_as_a_table_and_as_csv(self):
        rows = self.imported(*self.records)
        found = list(csv.DictReader(io.StringIO(self.expect(0, "query", "served", "--format=csv"))))
        self.assertEqual([row["p50_ns"] for row in found], [str(row["p50_ns"]) for row in rows])
        self.assertRegex(self.expect(0, "query", "served"), r"server +4000 +4031\.71 +4031\.71 +198 us +3\.04 ms +3\.17 ms +7\.39 ms +7\.9 ms +9\.46 ms")

    def test_the_last_run_of_a_configuration_counts(self):
        later = json.loads(json.dumps(self.records[0]))
        later["started_utc"] = "2026-12-01T00:00:00+00:00"
        later["served"][0]["queries"] = "7000"
        self.assertEqual(len(self.imported(self.records[0], later)), 1)
        self.assertEqual(self.query("select queries from served order by started_utc"), [{"queries": 186}, {"queries": 7000}])

    def test_a_run_that_ended_before_it_served_has_a_row_without_figures(self):
        crashed = self.records[1]
        crashed.update(outcome="CRASH", served=[])
        (row,) = self.imported(crashed)
        self.assertEqual((row["scenario"], row["outcome"], row["p50_ns"], row["right"]), ("server", "CRASH", None, None))

    def test_another_figure_makes_another_record(self):
        other = json.loads(json.dumps(self.records[2]))
        other["served"][0]["percentiles"][0]["ns"] += 1
        self.write("runs.jsonl", self.records[2], other, self.records[2])
        self.assertIn("2 new records, 1 known", self.expect(0, "import", "runs.jsonl"))

    def test_columns_alone_give_the_same(self):
        whole = self.imported(*self.records)
        self.assertEqual(self.imported(*self.records, samples="no"), whole)
        self.expect(0, "export", "--format=assay", "--output=out.jsonl")
        self.assertIn("0 new records, 5 known", self.expect(0, "import", "out.jsonl"))
        with open(self.path("out.jsonl"), "rb") as f:
            (first, *_) = map(orjson.loads, f)
        rate = self.records[0]["served"][0]
        for name in ("percentiles", "queries", "bound_share", "mean_ns", "invalid_reason"):
            self.assertEqual(first["served"][0][name], rate[name])
        self.assertEqual(first["served"][0]["checks"], [{"name": "generator_late", "status": "CHECK_FLAGGED"}])

    def test_a_record_goes_out_as_it_came_in(self):
        self.imported(*self.records)
        self.expect(0, "export", "--format=assay", "--output=out.jsonl")
        with open(self.path("out.jsonl"), "rb") as f:
            self.assertEqual([orjson.loads(one) for one in f], self.records)
        self.expect(0, "export", "--format=xla_jsonl", "--output=out.jsonl")
        self.assertIn("xla_jsonl cannot hold: rates and latencies under load (--scenario)", self.err)

    def test_what_is_no_rate_is_refused(self):
        for fields, says in _WRONG:
            bad = json.loads(json.dumps(self.records[0]))
            bad["served"][0].update(fields)
            self.write("bad.jsonl", bad)
            self.expect(1, "import", "bad.jsonl", "--database=bad.sqlite")
            self.assertIn(says, self.err)

    def test_a_database_of_before_is_read_and_takes_no_more(self):
        self.imported(*self.records)
        connection = sqlite3.connect(self.path("results.sqlite"))
        connection.execute("DROP VIEW served")
        connection.execute("DROP TABLE rates")
        connection.commit()
        connection.close()
        self.assertEqual({(row["outcome"], row["p50_ns"]) for row in self.served()}, {("PASS", None)})
        self.assertEqual(self.query("select count(*) as n from served"), [{"n": 0}])
        self.write("more.jsonl", *self.records)
        self.expect(2, "import", "more.jsonl")
        self.assertIn("did not know all of rates; it can be read; import into a new one", self.err)

    def test_a_database_of_before_tokens_is_read_and_takes_no_more(self):
        self.imported(*decoder_records())
        connection = sqlite3.connect(self.path("results.sqlite"))
        for view in ("runs", "results", "served", "summary"):
            connection.execute("DROP VIEW " + view)
        for name in columns.SERVED_NAMES:
            if name.split("_p")[0].endswith("_token") or name in ("tokens", "tokens_per_s", "goodput"):
                connection.execute("ALTER TABLE rates DROP COLUMN " + name)
        connection.commit()
        connection.close()
        found = self.served()
        self.assertEqual([round(row["queries_per_s"], 2) for row in found], [0.99, 2.81, 1.82])
        self.assertEqual({row[name] for row in found for name in _OF_TOKENS}, {None})
        self.write("more.jsonl", *self.records)
        self.expect(2, "import", "more.jsonl")
        self.assertIn("did not know all of rates; it can be read; import into a new one", self.err)

    def test_the_list_has_the_columns(self):
        self.imported(self.records[0])
        self.expect(0, "query", "--list")
        for name in ("certified_p999_ns", "within_bound"):
            self.assertIn(name, columns.SERVED_NAMES)
            self.assertIn(name, self.out)
        self.expect(3, "query", "select certified_p99 from served")
        self.assertIn("did you mean certified_p99_ns", self.err)


class DecoderTest(ServedTest):
    """Records of decoders have times of tokens, too."""

    def test_tokens_and_goodput(self):
        alone, bounds = decoder_records()
        later = [{"share": 0.5, "ns": 1.0, "certified_ns": 2.0}, {"share": 0.99, "ns": 3.0, "certified_ns": 4.0}]
        bounds["served"][1].update(first_token=later, goodput=0.0)
        slow, fast, other = self.imported(alone, bounds)
        self.assertEqual([slow[name] for name in _OF_TOKENS], [18.644270345142278, 65771664, None, 22664412, None, 0.6821074516515468])
        self.assertEqual([fast[name] for name in _OF_TOKENS], [54.175030990787626, 1, 3, 33647612, None, 0])
        self.assertEqual([other[name] for name in _OF_TOKENS], [34.93167807686394, 240512819, None, 70964029, None, None])
        between = "select certified_between_tokens_p99_ns as most, tokens from served where asked_qps = 2"
        self.assertEqual(self.query(between), [{"most": 448048485, "tokens": 843}])

    def test_a_case_that_is_no_decoder_has_none(self):
        found = self.imported(*served_records())
        self.assertEqual({row[name] for row in found for name in _OF_TOKENS}, {None})

    def test_what_loadgen_says_of_a_run(self):
        """Without a bound it has nothing to judge a server by."""
        found = {(row["scenario"], row["asked_qps"]): row for row in self.imported(*served_records(), *decoder_records())}
        said = {key: row["validity"] for key, row in found.items()}
        self.assertEqual({key for key, one in said.items() if one is None}, {("server", rate) for rate in (2, 200, 1000, 4000)})
        self.assertEqual({key for key, one in said.items() if one == "VALID"}, {("single_stream", None), ("multi_stream", None)})
        self.assertIn("Reduce target QPS to improve latency", found["server", 3]["invalid_reason"])
        self.assertEqual({row["invalid_reason"] for row in found.values() if row["validity"] != "INVALID"}, {None})
        self.assertIn("INVALID,\"Run unsuccessful. Processed 13", self.expect(0, "query", "served", "--format=csv"))
        self.expect(0, "query", "served")
        self.assertIn("INVALID", self.out)
        self.assertNotIn("unsuccessful", self.out)
        self.assertNotIn("invalid_reason", self.out)

    def test_columns_alone_give_the_same_of_tokens(self):
        whole = self.imported(*decoder_records())
        self.assertEqual(self.imported(*decoder_records(), samples="no"), whole)
        self.expect(0, "export", "--format=assay", "--output=out.jsonl")
        self.assertIn("0 new records, 2 known", self.expect(0, "import", "out.jsonl"))
        with open(self.path("out.jsonl"), "rb") as f:
            back = [orjson.loads(one)["served"] for one in f]
        for name in ("first_token", "per_token", "between_tokens", "tokens", "tokens_per_s", "goodput"):
            for got, record in zip(back, decoder_records()):
                self.assertEqual([rate.get(name) for rate in got], [rate.get(name) for rate in record["served"]])


if __name__ == "__main__":
    unittest.main()
