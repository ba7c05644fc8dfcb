import os
import tempfile
import unittest

from artifacts.format import atomic_file
from ci.figures import backends_table
from ci.figures.backends_table import Case, Result


def _record(name, outcome="PASS", backend="aoti", **fields):
    verdict = {"outputs": [{"rms_error": 2e-7}, {"rms_error": 3e-7}]} if outcome == "PASS" else {}
    return {"benchmark_case": {"name": name, "execution": {"backend": backend}}, "outcome": outcome, "verdict": verdict, **fields}


def _entry(model, shape, large=False, dtype="FP32", mode="EVAL", **execution):
    name = "%s_b%s" % (model, "x".join(map(str, shape)))
    case = {"name": name, "model": model, "dtype": dtype, "mode": mode, "batch": str(shape[0]), "label": "//benchmarks/x:" + name,
            "tags": ["large"] if large else [], "execution": {"memory_format": "CONTIGUOUS", **execution}}
    return {"benchmark_case": case, "measured": {"inputs": [{"shape": list(map(str, shape))}], "outputs": []}}


def _cases(*names):
    return [Case(name, "//benchmarks/x:" + name, name, (1,), False) for name in names]


class Choice(unittest.TestCase):
    def test_takes_the_smallest_case_of_each_model_and_tiny_models_first(self):
        entries = [_entry("b", (8, 4)), _entry("b", (1, 64)), _entry("b", (1, 8)), _entry("a", (1, 8), large=True), _entry("c_tiny", (1, 8)),
                   _entry("b", (1, 1), dtype="BF16"), _entry("b", (1, 1), mode="TRAIN"), _entry("b", (1, 1), lowering="int8_dynamic")]
        cases = [case for case in map(backends_table.case_of, entries) if case]
        self.assertEqual([case.name for case in backends_table.smallest(cases)], ["c_tiny_b1x8", "b_b1x8", "a_b1x8"])

    def test_what_was_never_tried_comes_before_what_other_sources_did(self):
        cases = _cases("a_fp32_b1", "b_fp32_b1", "c_fp32_b1")
        kept = {(name, "aoti"): Result(name, "aoti", "PASS", "1e-7", sources) for name, sources in (("a_fp32_b1", "old"), ("b_fp32_b1", "new"))}
        wanted = backends_table.left(cases, kept, "aoti", lambda case, backend: "new")
        self.assertEqual([case.name for case in wanted], ["c_fp32_b1", "a_fp32_b1"])


class Kept(unittest.TestCase):
    def test_is_read_as_it_was_written(self):
        rows = [
            backends_table.result_of(_record("a_fp32_b1"), "0123"),
            backends_table.result_of(_record("b_fp32_b1", "CRASH", error="it\tdied\nof this\n  to try it alone: so"), "0123"),
        ]
        self.assertEqual(rows[0], Result("a_fp32_b1", "aoti", "PASS", "3.0e-07", "0123", ""))
        self.assertEqual(rows[1], Result("b_fp32_b1", "aoti", "CRASH", "", "0123", "it died of this"))
        kept = {(row.case, row.backend): row for row in rows}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kept.tsv")
            atomic_file.write(path, backends_table.text_of_kept(kept).encode())
            self.assertEqual(backends_table.read_kept(path), kept)
            self.assertEqual(backends_table.read_kept(path + ".none"), {})


    def test_gets_results_of_the_present_sources_and_keeps_others_where_there_are_none(self):
        cases = _cases("a_fp32_b1", "b_fp32_b1")
        row = Result("a_fp32_b1", "aoti", "PASS", "1.0e-09", "new")
        kept = {("a_fp32_b1", "aoti"): row}
        records = {(name, "aoti"): _record(name, environment={"git_commit": "old"}) for name in ("a_fp32_b1", "b_fp32_b1", "gone")}
        digest_of = lambda case, backend, commit="new": commit
        backends_table.merge(kept, records, cases, digest_of)
        self.assertEqual(kept["a_fp32_b1", "aoti"], row)
        self.assertEqual(kept["b_fp32_b1", "aoti"].sources, "old")
        records["a_fp32_b1", "aoti"]["environment"]["git_commit"] = "new"
        backends_table.merge(kept, records, cases, digest_of)
        self.assertEqual(kept["a_fp32_b1", "aoti"].rms, "3.0e-07")
        self.assertEqual(set(kept), {("a_fp32_b1", "aoti"), ("b_fp32_b1", "aoti")})


class Table(unittest.TestCase):
    def test_counts_names_and_marks(self):
        cases = _cases("a_fp32_b1", "b_fp32_b1", "c_fp32_b1")
        rows = [
            Result("a_fp32_b1", "aoti", "PASS", "1.0e-07", "new"),
            Result("b_fp32_b1", "aoti", "CRASH", "", "new", "it died"),
            Result("a_fp32_b1", "onnxruntime", "PASS", "2.0e-07", "old"),
            Result("gone_fp32_b1", "aoti", "PASS", "1.0e-07", "new"),
        ]
        text = "\n".join(backends_table.table({(row.case, row.backend): row for row in rows}, cases, {"big"}, lambda case, backend: "new"))
        for line in (
            "| aoti | 1 | 2 | 3 |",
            "| onnxruntime | 1 | 1 | 3 |",
            "- aoti, CRASH: b_fp32_b1: `it died`",
            "Models of which no float32 case has a reference yet, 1: big.",
            "| a_fp32_b1 | 1.0e-07 | 2.0e-07\\* |",
            "| b_fp32_b1 | **CRASH** | - |",
        ):
            self.assertIn(line, text.split("\n"))
        self.assertNotIn("gone", text)


if __name__ == "__main__":
    unittest.main()
