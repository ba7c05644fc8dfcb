"""Which tests judge a mutant, in which order, and what is made of what they say, with fakes of copy and Bazel."""

import os
import tempfile
import unittest

from tools.processes.command import SurroundingsError
from ci.mutate import mutants
from ci.mutate.bazel_tests import Done, Failure
from ci.mutate.lenient_source import lenient
from ci.mutate.trials import RedTree, Trials, batches, limit_of
from ci.mutate.verdict import ABORTED, EQUIVALENT, KILLED, NOT_COMPILED, SURVIVED, TIMED_OUT

_TEXT = b"int n = 3;\n"
_PATH = "models/x/x.cc"
_MUTANT = mutants.find("x", _PATH, _TEXT)[0]
_DEPENDANTS = {_PATH: {"//models/x:t", "//benchmarks/x:t", "//benchmarks/x:large_test"}}
_PASSED = Done([], {"//models/x:t": 1.0, "//benchmarks/x:t": 9.0}, set(), "")


class _Copy:
    def __init__(self):
        self.content, self.written = _TEXT, []

    def read(self, path):
        return self.content

    def write(self, path, data):
        self.content = data
        self.written.append(data)

    def restore(self, path):
        self.content = _TEXT


class _Bazel:
    """Gives the answers in turn."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def run(self, labels, keep_going, limit=0, cache=None):
        self.asked.append((sorted(labels), limit))
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer() if callable(answer) else answer


def _failed(status, code=1):
    return Done([Failure("//models/x:t", status, code)], {}, set(), "")


class TrialsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.objects = os.path.join(folder.name, "models/x/_objs/x")
        os.makedirs(self.objects)
        self.passed = _PASSED._replace(folder=folder.name)
        self.compile(b"original")

    def compile(self, code):
        with open(os.path.join(self.objects, "x.o"), "wb") as f:
            f.write(code)

    def judge(self, *answers):
        self.copy, self.bazel = _Copy(), _Bazel(self.passed, *answers)
        tried = Trials(self.copy, self.bazel, _DEPENDANTS)
        tried.prepare()
        verdict = tried.judge(_MUTANT)
        return verdict.state, verdict.by

    def test_verdicts(self):
        for answers, wanted in (
            ([_failed("FAILED")], (KILLED, "//models/x:t")),
            ([_failed("FAILED", 134)], (ABORTED, "//models/x:t")),
            ([_failed("TIMEOUT")], (TIMED_OUT, "//models/x:t")),
            ([lambda: self.compile(b"mutant") or self.passed], (SURVIVED, "")),
            ([Done([], {}, {"CppCompile"}, "error: no")], (NOT_COMPILED, "")),
            ([Done([], {}, {"Genrule"}, "a program failed")], (KILLED, "the build: Genrule")),
        ):
            with self.subTest(answers):
                self.assertEqual(wanted, self.judge(*answers))
                self.assertEqual([lenient(_PATH, _MUTANT.mutated(_TEXT))], self.copy.written)
                self.assertEqual(_TEXT, self.copy.content)

    def test_a_survivor_of_the_same_object_code_is_equivalent(self):
        same = lambda: self.compile(b"original") or self.passed
        self.assertEqual((EQUIVALENT, "compiles to the same code"), self.judge(same))
        self.assertEqual((EQUIVALENT, "compiles to the same code"), self.judge(self.passed))

    def test_python_that_survives_is_not_equivalent_for_want_of_object_code(self):
        path = "tools/gate/runs.py"
        copy = _Copy()
        copy.content = b"x = 3\n"
        passed = self.passed._replace(passed={"//tools/gate:t": 1.0})
        bazel = _Bazel(passed, passed)
        tried = Trials(copy, bazel, {path: {"//tools/gate:t"}})
        tried.prepare()
        verdict = tried.judge(mutants.find("python", path, b"x = 3\n")[0])
        self.assertEqual((SURVIVED, ""), (verdict.state, verdict.by))
        self.assertEqual(["//tools/gate:t"], bazel.asked[1][0])

    def test_tests_of_other_tiers_do_not_judge(self):
        self.judge(_PASSED)
        self.assertEqual(["//benchmarks/x:t", "//models/x:t"], self.bazel.asked[1][0])

    def test_the_limit_is_ten_times_the_slowest_or_more_and_one_of_few(self):
        self.judge(_PASSED)
        self.assertEqual([0, 120], [limit for _, limit in self.bazel.asked])
        self.assertEqual([60, 60, 120, 120, 240], [limit_of(seconds) for seconds in (0.1, 6, 6.1, 12, 13)])

    def test_the_test_that_found_the_last_fault_in_a_file_comes_first(self):
        bazel = _Bazel(self.passed, _failed("FAILED"), self.passed, lambda: self.compile(b"mutant") or self.passed)
        tried = Trials(_Copy(), bazel, _DEPENDANTS)
        tried.prepare()
        self.assertEqual([KILLED, SURVIVED], [tried.judge(_MUTANT).state for _ in range(2)])
        both = ["//benchmarks/x:t", "//models/x:t"]
        self.assertEqual([both, ["//models/x:t"], ["//benchmarks/x:t"]], [labels for labels, _ in bazel.asked[1:]])

    def test_the_copy_is_restored_after_an_interrupt(self):
        with self.assertRaises(KeyboardInterrupt):
            self.judge(KeyboardInterrupt())
        self.assertEqual(_TEXT, self.copy.content)

    def test_a_red_tree_judges_nothing(self):
        for answer, message in ((_failed("FAILED"), "//models/x:t"), (Done([], {"//a:b": 1}, {"CppCompile"}, "broken"), "broken")):
            with self.assertRaisesRegex(RedTree, message):
                Trials(_Copy(), _Bazel(answer._replace(passed={"//a:b": 1.0})), _DEPENDANTS).prepare()

    def test_a_large_case_without_a_reference_is_no_red_tree(self):
        answer = _PASSED._replace(broken={"MissingReference"})
        self.assertEqual(2, Trials(_Copy(), _Bazel(answer), _DEPENDANTS).prepare())

    def test_without_tests_there_is_nothing_to_ask(self):
        with self.assertRaisesRegex(SurroundingsError, "no test of this tier depends on models/x/x.cc"):
            Trials(_Copy(), _Bazel(_PASSED._replace(passed={})), _DEPENDANTS).prepare()


class BatchesTest(unittest.TestCase):
    def test_own_package_first_then_the_family_then_the_cheapest_in_batches_that_double(self):
        seconds = {"//models/x:t": 1, "//benchmarks/x:a": 6, "//benchmarks/x:b": 2, "//benchmarks/w:t": 20, "//benchmarks/v:t": 3,
                   "//benchmarks/u:t": 4}
        self.assertEqual([
            ["//benchmarks/x:a", "//benchmarks/x:b", "//models/x:t"],
            ["//benchmarks/v:t", "//benchmarks/u:t", "//benchmarks/w:t"],
        ], list(batches("models/x/x.cc", seconds)))
        self.assertEqual([
            ["//models/x:t", "//benchmarks/v:t", "//benchmarks/u:t"], ["//benchmarks/x:a", "//benchmarks/x:b"], ["//benchmarks/w:t"],
        ], list(batches("models/layers/x.cc", seconds)))

    def test_every_test_comes_once(self):
        seconds = {"//p%d:t%d" % (n % 7, n): n for n in range(50)}
        got = [label for batch in batches("models/x/x.cc", seconds) for label in batch]
        self.assertEqual(sorted(seconds), sorted(got))
        got = [label for batch in batches("models/x/x.cc", seconds, "//p3:t3") for label in batch]
        self.assertEqual(("//p3:t3", sorted(seconds)), (got[0], sorted(got)))
        self.assertEqual([], list(batches("models/x/x.cc", {})))
        self.assertEqual([["//p:t"]], list(batches("models/x/x.cc", {"//p:t": 1}, "//p:t")))
        self.assertGreater(len(list(batches("models/x/x.cc", seconds))), 2)


if __name__ == "__main__":
    unittest.main()
