"""The table, the survivors and the document, of verdicts that are given."""

import unittest

from ci.mutate import mutants, report
from ci.mutate.verdict import ABORTED, EQUIVALENT, KILLED, NOT_COMPILED, SURVIVED, TIMED_OUT, Verdict

_TEXT = b"int n = 3;\nint m = a + b;\n"
_SWIN = mutants.find("swin", "models/swin/swin.cc", _TEXT)
_LAYERS = mutants.find("layers", "models/layers/x.h", _TEXT)
_STATES = [KILLED, SURVIVED, NOT_COMPILED, EQUIVALENT]
_RESULTS = [*zip(_SWIN, (Verdict(state, "//a:b", 2.0) for state in _STATES)),
            (_LAYERS[0], Verdict(TIMED_OUT)), (_LAYERS[1], Verdict(ABORTED))]


class ReportTest(unittest.TestCase):
    def test_the_table_has_a_row_for_each_scope_and_one_for_all(self):
        self.assertEqual([
            "scope   mutants  killed  survived  equivalent  not compiled  score",
            "swin          4       1         1           1             1   50 %",
            "layers        2       2         0           0             0  100 %",
            "all           6       3         1           1             1   75 %",
            "1 of the killed ran into the time limit; 1 of the killed were ended by a signal",
        ], report.table(_RESULTS))

    def test_a_scope_without_anything_to_find_has_no_score(self):
        self.assertIn(" -", report.table([(_SWIN[0], Verdict(EQUIVALENT))])[1])

    def test_a_score_is_100_only_where_nothing_survived(self):
        killed = [(_SWIN[0], Verdict(KILLED))] * 299
        self.assertIn(" 99 %", report.table([*killed, (_SWIN[1], Verdict(SURVIVED))])[1])
        self.assertIn("100 %", report.table(killed)[1])

    def test_survivors_come_with_place_and_diff(self):
        text = "\n".join(report.survivors(_RESULTS, lambda path: _TEXT))
        self.assertIn("survived %s  models/swin/swin.cc:1  constant" % _SWIN[1].id, text)
        self.assertIn("-int n = 3;\n+int n = 2;", text)
        self.assertEqual(1, text.count("survived"))

    def test_the_document_says_how_it_was_made_and_what_was_not_found(self):
        text = report.document(_RESULTS, "0123456789ab", "")
        for wanted in ("//tools:mutate -- --full --write-docs`", "| swin | 4 | 1 | 1 | 1 | 1 | 50 % | 0123456789ab |",
                       "| all | 6 | 3 | 1 | 1 | 1 | 75 % |  |",
                       "- swin `models/swin/swin.cc:1` constant: `int n = 3;` → `int n = 2;`"):
            self.assertIn(wanted, text)

    def test_the_document_keeps_the_rows_of_scopes_that_were_not_judged(self):
        before = report.document(_RESULTS, "0123456789ab", "")
        text = report.document(_RESULTS[-2:], "ba9876543210", before)
        for wanted in ("| swin | 4 | 1 | 1 | 1 | 1 | 50 % | 0123456789ab |", "| layers | 2 | 2 | 0 | 0 | 0 | 100 % | ba9876543210 |",
                       "| all | 6 | 3 |", "- swin `models/swin"):
            self.assertIn(wanted, text)
        self.assertEqual(before, report.document([], "ba9876543210", before))
        self.assertNotIn("Not found", report.document([(_SWIN[1], Verdict(KILLED))], "ba9876543210", text))

    def test_the_document_of_a_full_score_lists_nothing(self):
        self.assertNotIn("Not found", report.document(_RESULTS[:1], "0", ""))

    def test_records_name_everything(self):
        record = report.records(_RESULTS)[1]
        self.assertEqual(("models/swin/swin.cc", 1, "int n = 3;", "int n = 2;", SURVIVED),
                         tuple(record[name] for name in ("file", "line", "before", "after", "state")))


if __name__ == "__main__":
    unittest.main()
