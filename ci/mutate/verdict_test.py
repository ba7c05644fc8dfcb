"""Scores, and that verdicts outlive the run that found them, on the same tree only."""

import os
import tempfile
import unittest
from typing import NamedTuple

from ci.mutate.verdict import ABORTED, EQUIVALENT, KILLED, NOT_COMPILED, SURVIVED, TIMED_OUT, Verdict, VerdictLog, score


class _Mutant(NamedTuple):
    id: str
    path: str = "models/x/x.cc"


class ScoreTest(unittest.TestCase):
    def test_a_hang_and_a_crash_are_kills_and_what_no_test_can_find_does_not_count(self):
        states = [KILLED, TIMED_OUT, ABORTED, SURVIVED, EQUIVALENT, NOT_COMPILED, NOT_COMPILED]
        self.assertEqual(75, score([Verdict(state) for state in states]))

    def test_nothing_that_a_test_could_find_has_no_score(self):
        self.assertIsNone(score([Verdict(EQUIVALENT), Verdict(NOT_COMPILED)]))
        self.assertIsNone(score([]))


class VerdictLogTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "verdicts.jsonl")
        self.log = VerdictLog(self.path, "tree1", "")

    def test_a_verdict_is_there_again_in_the_next_run_on_the_same_tree_and_tier(self):
        verdict = Verdict(KILLED, "//a:b", 1.5)
        self.log.add(_Mutant("1"), verdict)
        self.assertEqual(verdict, self.log.of(_Mutant("1")))
        self.assertEqual(verdict, VerdictLog(self.path, "tree1", "").of(_Mutant("1")))
        for tree, config in (("tree2", ""), ("tree1", "large")):
            self.assertIsNone(VerdictLog(self.path, tree, config).of(_Mutant("1")))

    def test_the_last_verdict_counts(self):
        self.log.add(_Mutant("1"), Verdict(SURVIVED))
        self.log.add(_Mutant("1"), Verdict(KILLED))
        self.assertEqual(KILLED, VerdictLog(self.path, "tree1", "").of(_Mutant("1")).state)

    def test_a_torn_line_costs_itself_alone(self):
        self.log.add(_Mutant("1"), Verdict(SURVIVED))
        with open(self.path, "a", encoding="utf-8") as f:
            f.write('{"tree": "tree1", "mut')
        VerdictLog(self.path, "tree1", "").add(_Mutant("2"), Verdict(KILLED))
        known = VerdictLog(self.path, "tree1", "")
        self.assertEqual((SURVIVED, KILLED), (known.of(_Mutant("1")).state, known.of(_Mutant("2")).state))

    def test_lines_of_other_kinds_are_passed_over(self):
        with open(self.path, "w", encoding="utf-8") as f:
            f.write('[]\n3\n\n{"tree": "tree1", "config": "", "mutant": "1", "state": "happy"}\n')
        self.assertIsNone(VerdictLog(self.path, "tree1", "").of(_Mutant("1")))


if __name__ == "__main__":
    unittest.main()
