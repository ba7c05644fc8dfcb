"""Tokens a second, and the step that stands for a case."""

import unittest

from tools.report.fixtures import ReportTest
from tools.results.test_files import record

_STEPS = (("prefill", 128, 2e6), ("decode", 1, 1e6), ("generate", 32, 40e6))


def generated(batch=1, lowering="none", slower=1.0, marked=True, **fields):
    """A record of a generation case as generation_program.h has its steps: in 2 ms the prompt, in 40 ms all."""
    settings = {"batch": str(batch), "lowering": lowering, "device": "cpu"}
    made = record(
        benchmark_case__name="llama_bf16_b1_s128_gen32",
        benchmark_case__model="llama",
        benchmark_case__mode="GENERATE",
        benchmark_case__dtype="BF16",
        benchmark_case__batch=str(batch),
        configuration={"digest": "%d %s" % (batch, lowering), "settings": settings},
        memory={"parameter_bytes": "2000", "buffer_bytes": "48", "parameters": "1100"},
        **fields,
    )
    (first, *_) = made["measurements"]
    made["measurements"] = []
    for step, tokens, median in _STEPS:
        median *= slower
        measured = {**first, "step": step, "unit": "token", "units_per_call": float(tokens * batch), "checks": []}
        measured.update(median_ns=median, ci_low_ns=0.99 * median, ci_high_ns=1.01 * median)
        measured["samples_ns"] = [median, median / 1.5]
        if marked and step == "generate":
            measured["headline"] = True
        made["measurements"].append(measured)
    return made


class LanguageTest(ReportTest):
    def rows(self, *words):
        (table,) = self.tables(*words, "--report=tokens")
        return [dict(zip(table["columns"], row)) for row in table["rows"]]

    def test_the_time_of_a_generation_is_that_of_all_of_it(self):
        for marked in (True, False):  # a record from before the field has names alone
            self.write("a.jsonl", generated(marked=marked))
            (table,) = self.tables("a.jsonl", "--report=targets")
            self.assertEqual([row[6] for row in table["rows"]], [40.0], marked)
        made = generated()
        made["measurements"][1]["headline"], made["measurements"][2]["headline"] = True, False
        self.write("a.jsonl", made)
        (table,) = self.tables("a.jsonl", "--report=targets")
        self.assertEqual([row[6] for row in table["rows"]], [1.0], "what the record says goes before names")

    def test_a_row_for_the_prompt_new_tokens_and_both(self):
        self.write("a.jsonl", generated(batch=4))
        rows = self.rows("a.jsonl")
        self.assertEqual([row["Test"] for row in rows], ["pp128", "tg32 @ d128", "pp128+tg32"])
        # 4 rows of 128 tokens in 2 ms, of 1 in 1 ms, of 160 in 40 ms.
        self.assertEqual([row["t/s"] for row in rows], [256000, 4000, 16000])
        # Of 1 and 1.5 the deviation is 0.35355.
        self.assertEqual([row["± s"] for row in rows], [90510, 1414, 5657])
        (first, *_) = rows
        self.assertEqual((first["Model"], first["Parameters"], first["Size"], first["Dtype"]), ("llama", "1.1 K", "2 KiB", "bf16"))
        self.assertEqual((first["Batch"], first["State"]), (4, "usable"))
        self.assertNotIn("Lowering", first, "it is the same of all rows")

    def test_rows_show_what_differs(self):
        flagged = generated(lowering="int8_weights", slower=0.5)
        flagged["measurements"][1]["checks"] = [{"name": "steady", "status": "CHECK_FLAGGED"}]
        self.write("a.jsonl", generated(), generated(batch=4), flagged)
        rows = self.rows("a.jsonl")
        self.assertEqual(
            [(row["Batch"], row["Lowering"], row["Test"], row["t/s"], row["State"]) for row in rows if row["Test"].startswith("tg32")],
            [(1, "", "tg32 @ d128", 1000, "usable"), (1, "int8_weights", "tg32 @ d128", 2000, "FLAGGED steady"), (4, "", "tg32 @ d128", 4000, "usable")],
        )
        called = {"batch=1 lowering=int8_weights", "batch=1 lowering=none", "batch=4 lowering=none"}
        self.assertEqual({row["Called"] for row in rows}, called)
        (table,) = self.tables("a.jsonl", "--report=targets")
        self.assertEqual(
            sorted(row[5] for row in table["rows"]),
            ["llama_bf16_b1_s128_gen32 batch=%d lowering=%s" % pair for pair in ((1, "int8_weights"), (1, "none"), (4, "none"))],
        )

    def test_lengths_are_those_of_the_name_where_a_step_was_left_out(self):
        made = generated()
        made["measurements"] = made["measurements"][1:2]
        self.write("a.jsonl", made)
        self.assertEqual([(row["Test"], row["t/s"]) for row in self.rows("a.jsonl")], [("tg32 @ d128", 1000)])

    def test_a_note_explains_the_columns_or_why_there_is_no_row(self):
        for made, note in ((generated(), "t/s: tokens a second by the median call, of all rows of a batch; ± s: the standard deviation of the samples"), (record(), "no run generates tokens")):
            self.write("a.jsonl", made)
            (table,) = self.tables("a.jsonl", "--report=tokens")
            self.assertEqual(table["notes"][0], note)

    def test_in_the_terminal_in_markdown_and_on_the_page(self):
        self.write("a.jsonl", generated())
        text = self.expect(0, "a.jsonl")
        self.assertRegex(text, r"(?s)Tokens a second\n.*llama .* pp128 +64000 +22627 .*tg32 @ d128 +1000 .*pp128\+tg32 +4000 ")
        page = self.read("report.html")
        self.assertIn('"pp128+tg32",4000', page)
        text = self.expect(0, "a.jsonl", "--report=summary", "--format=markdown")
        self.assertIn("| llama | 1.1 K | 2 KiB | bf16 | 1 | tg32 @ d128 | 1000 | 353.6 | usable |", text)
        self.write("b.jsonl", record())
        self.assertNotIn("Tokens a second", self.expect(0, "b.jsonl"))


if __name__ == "__main__":
    unittest.main()
