"""bisect finds a slow-down among 16 commits of a scratch repository: by the real //tools:compare, which makes worktrees of its
commits and starts what their tools/bazel builds. That one plays Bazel, and the case is a runner that writes the time that a file
of the commit says, with some noise: what is measured is not the subject here.
"""

import io
import os
import re
import subprocess
import unittest
from unittest import mock

from tools.gate import comparisons
from tools.history import bisecting, program
from tools.history.bisecting import NOT_SLOWER, SLOWER, UNKNOWN, Answer
from tools.results.errors import Stop
from tools.results.test_files import ProgramTest, record

_RUNNER = os.path.abspath("tools/processes/hostile_runner")
_COMPARE = os.path.abspath("tools/compare/compare")
_LABEL = "//a:hostile"
# "Builds" by copying, and fails where there is a file `broken`.
_BAZEL = """#!/bin/sh
[ ! -e broken ] || { echo "broken.cc:1: no" >&2; exit 1; }
case $1 in
  info) echo "$PWD/out" ;;
  build) mkdir -p out/a && rm -f out/a/hostile && cp program out/a/hostile && chmod +x out/a/hostile ;;
esac
"""


class BisectTest(ProgramTest):
    def git(self, *words):
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        done = subprocess.run(
            ["git", "-C", self.path("tree"), *identity, *words], check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def commits(self, medians, broken=()):
        """A repository with a commit for each median; returns them."""
        os.makedirs(self.path("tree/tools"))
        self.git("init", "-q")
        self.write("tree/tools/bazel", _BAZEL.encode())
        os.chmod(self.path("tree/tools/bazel"), 0o755)
        self.write("tree/.gitignore", b"out\n")
        for number, median in enumerate(medians):
            self.write("tree/program", b'#!/bin/sh\nexec %s --median=%d "$@"\n' % (_RUNNER.encode(), median))
            self.write("tree/number", b"%d\n" % number)
            if number in broken:
                self.write("tree/broken", b"")
            elif os.path.exists(self.path("tree/broken")):
                os.unlink(self.path("tree/broken"))
            self.git("add", "-A")
            self.git("commit", "-q", "-m", "commit number %d" % number)
        return self.git("rev-list", "--reverse", "HEAD").split()

    def history(self, want, *words):
        out = io.StringIO()
        environment = {**os.environ, "BUILD_WORKING_DIRECTORY": self.folder, "XDG_CACHE_HOME": self.path("cache")}
        code = program.main(list(words), environment, out, out)
        self.assertEqual(code, want, out.getvalue())
        return out.getvalue()

    def bisect(self, want, good, bad, *words):
        between = ["--good=" + good, "--bad=" + bad] if good else []
        flags = ["--repository=tree", "--compare=" + _COMPARE, "--compare-flags=--pairs=6 --extra-rounds=0"]
        return self.history(want, "bisect", _LABEL, *between, *flags, *words)

    def test_an_injected_slow_down_among_16_commits(self):
        commits = self.commits([1000] * 11 + [1030] * 5)
        said = self.bisect(0, commits[0], "HEAD")
        self.assertRegex(
            said, r"first slower commit, after [5-7] comparisons:\n  %s\S* \S+ commit number 11\n" % commits[11][:7]
        )
        ratio = float(re.search(r"against its parent: SLOWER, ratio ([\d.]+)", said).group(1))
        self.assertAlmostEqual(ratio, 1.03, delta=0.005)
        self.assertIn("--baseline='git:%s %s' --candidate='git:%s %s'" % (commits[10][:12], _LABEL, commits[11][:12], _LABEL), said)

    def test_a_commit_that_cannot_be_built_is_passed_over(self):
        commits = self.commits([1000, 1000, 1000, 1030, 1030, 1030], broken=[2])
        said = self.bisect(2, commits[0], "HEAD")
        self.assertIn("one of these 2 commits", said)
        self.assertEqual(re.findall(r"commit number (\d)$", said, re.M), ["2", "3"])

    def test_the_last_slow_down_of_the_database(self):
        medians = [1000] * 10 + [1030] * 10 + [1062] * 10 + [1000] * 10
        commits = self.commits(medians)
        measured = [
            {"mode": "wall", "step": "forward", "median_ns": m * (1 + i % 3 * 1e-3)} for i, m in enumerate(medians)
        ]
        self.write(
            "runs.jsonl",
            *(
                record(
                    benchmark_case__label=_LABEL,
                    measurements=[one],
                    environment__git_commit=commit,
                    started_utc="2026-%02d-%02dT00:00:00Z" % (1 + day // 28, 1 + day % 28),
                )
                for day, (commit, one) in enumerate(zip(commits, measured))
            ),
        )
        self.history(0, "add", "runs.jsonl")
        said = self.bisect(0, "", "")
        self.assertIn("the slow-down of 2026-01-21 on cpu ", said)
        self.assertIn("%s against %s: SLOWER" % (commits[20][:12], commits[19][:12]), said)
        self.assertIn("after 1 comparisons", said)

    def test_what_it_says_is_seen_while_it_goes_on(self):
        """A bisection takes an hour: its lines don't wait in a buffer where the output is a file."""
        with open(self.path("said"), "w", encoding="utf-8") as out:
            program.Program(self.folder, {}, out, out)._say("17 commits")
            with open(self.path("said"), encoding="utf-8") as seen:
                self.assertEqual(seen.read(), "17 commits\n")

    def test_the_repository_is_bazels_tree_or_where_the_user_stands(self):
        for flags, workspace, want in (([], "/tree", "/tree"), ([], "", self.folder), (["--repository=a"], "/tree", self.path("a"))):
            environment = {"BUILD_WORKSPACE_DIRECTORY": workspace, "BUILD_WORKING_DIRECTORY": self.folder}
            with mock.patch.object(bisecting, "Repository", side_effect=Stop(3, "seen")) as made:
                self.assertEqual(program.main(["bisect", _LABEL, "--good=a", "--bad=b", *flags], environment, io.StringIO(), io.StringIO()), 3)
            self.assertEqual(made.call_args.args, (want,))

    def test_a_commit_that_is_not_slower_than_its_parent(self):
        first = "0123456789abcdef"
        repository = mock.Mock(**{"told.side_effect": lambda commit: commit + " told", "commit.return_value": "fedcba9876543210"})
        for verdict, code, end in (
            (NOT_SLOWER, 2, "it became slower by and by; ask again with --good=0123456789ab^ and more pairs\n"),
            (SLOWER, 0, "--baseline='git:fedcba987654 //a:b' --candidate='git:0123456789ab //a:b'\n"),
        ):
            said = io.StringIO()
            found = bisecting.Found(first, [first], Answer(verdict, 1.0, None, ""), 7)
            self.assertEqual(program.Program("", {}, said, said)._told(repository, mock.Mock(label="//a:b"), found), code)
            self.assertIn("first slower commit, after 7 comparisons:\n  %s told\n  against its parent: %s, ratio" % (first, verdict), said.getvalue())
            self.assertTrue(said.getvalue().endswith(end), said.getvalue())

    def test_nothing_to_find(self):
        commits = self.commits([1000, 1001, 1000])
        self.assertIn("nothing to look for", self.bisect(2, commits[0], "HEAD"))
        self.assertIn("--good=v9: is no commit", self.bisect(3, "v9", "HEAD"))
        self.assertIn("is no ancestor of", self.bisect(3, "HEAD", commits[0]))
        self.assertIn("are one commit", self.bisect(3, "HEAD", commits[2]))
        self.assertIn("the two ends cannot be compared", self.bisect(2, commits[0], "HEAD", "--compare=/bin/false"))
        self.write("compare", b"#!/bin/sh\necho on the way\necho broken here >&2\necho its last line\n")
        os.chmod(self.path("compare"), 0o755)
        self.assertRegex(self.bisect(2, commits[0], "HEAD", "--compare=" + self.path("compare")), r"[^'] its last line\n$")


class _Line:
    """A repository of n commits after the good one, "-1"."""

    def __init__(self, count):
        self._count = count

    def between(self, good, bad):
        return [str(i) for i in range(self._count)]


class SearchTest(unittest.TestCase):
    def search(self, count, slow_from, unknown=()):
        """(Found, pairs that were compared)"""
        asked = []

        def compare(baseline, candidate):
            asked.append((int(baseline), int(candidate)))
            if int(candidate) in unknown:
                return Answer(UNKNOWN, None, None, "cannot be built")
            slower = int(candidate) >= slow_from > int(baseline)
            return Answer(SLOWER if slower else NOT_SLOWER, 1.1 if slower else 1.0, None, "")

        return bisecting.Search(_Line(count), compare, lambda text: None).run("-1", str(count - 1)), asked

    def test_each_place_in_few_questions(self):
        for count in (1, 2, 3, 16, 17, 100):
            for slow_from in range(count):
                found, asked = self.search(count, slow_from)
                self.assertEqual((found.among, found.against_parent.verdict), ([str(slow_from)], SLOWER))
                self.assertEqual(asked[-1], (slow_from - 1, slow_from))
                self.assertLessEqual(found.comparisons, 2 + (count - 1).bit_length())

    def test_it_says_how_many_questions_to_expect(self):
        said = []
        answer = Answer(SLOWER, 1.1, None, "")
        for count, questions in ((1, 2), (2, 3), (17, 7), (100, 9)):
            bisecting.Search(_Line(count), lambda *_: answer, said.append).run("-1", str(count - 1))
            self.assertIn("%d commits, about %d comparisons" % (count, questions), said)

    def test_what_cannot_be_judged_is_named(self):
        for unknown, slow_from, among in (([7], 8, "78"), ([7, 8], 9, "789"), ([5], 8, "8")):
            self.assertEqual(self.search(16, slow_from, unknown)[0].among, list(among))
        with self.assertRaisesRegex(Stop, "nothing to look for: .*; other ends"):
            self.search(4, 9)

    def test_commits_are_named_by_twelve_digits(self):
        good, bad, said = "0123456789abcdef", "fedcba9876543210", []
        search = bisecting.Search(_Line(4), lambda *_: Answer(NOT_SLOWER, 1.0, None, ""), said.append)
        with self.assertRaisesRegex(Stop, "^nothing to look for: fedcba987654 against 0123456789ab is "):
            search.run(good, bad)
        self.assertTrue(said[-1].startswith("fedcba987654 against 0123456789ab: "), said)

    def test_ends_about_which_nothing_is_decided_name_what_may_help(self):
        for answer, wanted in (
            (Answer(UNKNOWN, 1.05, [0.96, 9.08], "INCONCLUSIVE"), r"\+808.00 %\): INCONCLUSIVE; on a quiet machine, .*--pairs=40"),
            (Answer(UNKNOWN, None, None, "cannot be built"), "cannot be built$"),
        ):
            with self.assertRaisesRegex(Stop, "the two ends cannot be compared: .*" + wanted):
                bisecting.Search(_Line(4), lambda *_, said=answer: said, lambda text: None).run("-1", "3")


class AnswerTest(unittest.TestCase):
    def test_faster_and_not_verified_decides_nothing(self):
        def answer(verdict, unverified):
            series = [comparisons.Series("a", "wall", verdict, "", unverified, comparisons.Estimate(0.5, [0.4, 0.6]))]
            return bisecting.answer_of(comparisons.Comparison(1, False, False, "", False, [], [], series))

        self.assertEqual(answer("FASTER", "").verdict, NOT_SLOWER)
        self.assertEqual(answer("SAME", "why").verdict, NOT_SLOWER)
        unknown = answer("FASTER", "baseline in 1 of 20 (why)")
        self.assertEqual(unknown.verdict, UNKNOWN)
        self.assertIn("the timed call was not verified: baseline in 1 of 20 (why)", str(unknown))

    def test_of_several_steps_the_slowest(self):
        def answer(*verdicts, **fields):
            series = [
                comparisons.Series("a", "wall", verdict, reason, "", comparisons.Estimate(ratio, [ratio, None]) if ratio else None)
                for verdict, ratio, reason in verdicts
            ]
            made = comparisons.Comparison(1, False, False, "", False, [], [comparisons.Case("a")], series)
            for name, value in fields.items():
                setattr(made, name, value)
            return tuple(bisecting.answer_of(made))

        faster, same, slower = ("FASTER", 0.8, ""), ("SAME", 1.0, ""), ("SLOWER", 1.2, "")
        failed = comparisons.Case("a", failure=comparisons.Failure("candidate", "CRASH", "why"))
        for given, fields, want in (
            ([faster], {}, (NOT_SLOWER, 0.8, [0.8, None], "")),
            ([faster, same], {}, (NOT_SLOWER, 1.0, [1.0, None], "")),
            ([same, slower, faster], {}, (SLOWER, 1.2, [1.2, None], "")),
            ([same, ("INCONCLUSIVE", 1.1, "wide"), ("NOT_COMPARED", None, "")], {}, (UNKNOWN, 1.1, [1.1, None], "NOT_COMPARED; SAME; wide")),
            ([], {}, (UNKNOWN, None, None, "nothing was compared")),
            ([slower], {"interrupted": True}, (UNKNOWN, None, None, "nothing was compared")),
            ([slower], {"cases": [failed]}, (UNKNOWN, None, None, "candidate, CRASH: why")),
        ):
            self.assertEqual(answer(*given, **fields), want)


if __name__ == "__main__":
    unittest.main()
