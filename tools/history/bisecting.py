"""Which commit made a case slower: a search over git in which each question is an A/B measurement by //tools:compare.

    found = Search(repository, compare, say).run(good, bad)      # Found, or Stop

The baseline of every comparison is the good commit, measured again in turns with the commit in question, in fresh processes of
the same hour: no time of another day is believed. SLOWER goes to the earlier half, SAME and FASTER to the later one. A commit that
cannot be built, or about which a comparison decides nothing, is passed over for its neighbour, as `git bisect skip` does. What is
found is then held against its parent, which is the answer: both may have become slower by and by.
"""

import os
import subprocess
import tempfile
from typing import NamedTuple, Optional

from tools.gate import comparisons
from tools.results.errors import SURROUNDINGS, USAGE, Stop

SLOWER, NOT_SLOWER, UNKNOWN = "SLOWER", "not slower", "unknown"
_LONGER = "--compare-flags='--pairs=40 --budget=1'"


class Answer(NamedTuple):
    verdict: str  # SLOWER, NOT_SLOWER, UNKNOWN
    ratio: Optional[float]
    interval: Optional[list]
    reason: str

    def __str__(self):
        if self.ratio is None:
            return "%s: %s" % (self.verdict, self.reason)
        ends = (100 * (end - 1) for end in self.interval or (self.ratio, self.ratio))
        said = "%s, ratio %.4f (%+.2f .. %+.2f %%)" % (self.verdict, self.ratio, *ends)
        return said + (": " + self.reason if self.reason else "")


class Found(NamedTuple):
    first: str  # the commit; where others could not be judged, the last one that may be it
    among: list  # all that may be it, oldest first
    against_parent: Optional[Answer]  # of the one commit; None where there are several
    comparisons: int


class Repository:
    def __init__(self, path):
        self._path = path

    def git(self, *words):
        done = subprocess.run(["git", "-C", self._path, *words], capture_output=True, text=True)
        if done.returncode:
            raise Stop(USAGE, "git %s: %s" % (" ".join(words), done.stderr.strip() or "failed"))
        return done.stdout.strip()

    def commit(self, revision, flag):
        try:
            return self.git("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
        except Stop:
            raise Stop(USAGE, "%s=%s: is no commit of %s" % (flag, revision, self._path)) from None

    def between(self, good, bad):
        """Oldest first, without `good`; of merges the first parent."""
        if good == bad:
            raise Stop(USAGE, "--good and --bad are one commit, %s" % good[:12])
        found = self.git("rev-list", "--first-parent", "--reverse", "%s..%s" % (good, bad)).split()
        if not found or self.git("merge-base", good, bad) != good:
            raise Stop(USAGE, "%s is no ancestor of %s; --good is the older, faster one" % (good[:12], bad[:12]))
        return found

    def told(self, commit):
        """Without who wrote it."""
        return self.git("show", "--no-patch", "--format=%h %cs %s", commit)


class Search:
    def __init__(self, repository, compare, say):
        """`compare(baseline, candidate)`, both commits, is an Answer; say(text) hears of each step."""
        self._repository, self._compare, self._say = repository, compare, say
        self._asked = 0

    def run(self, good, bad):
        commits = self._repository.between(good, bad)
        self._say("%d commits, about %d comparisons" % (len(commits), 2 + max(len(commits) - 1, 0).bit_length()))
        answer = self._ask(good, bad)
        if answer.verdict != SLOWER:
            what, mend = "nothing to look for", "other ends, another --mode or more pairs may show a slow-down: " + _LONGER
            if answer.verdict == UNKNOWN:
                what = "the two ends cannot be compared"
                mend = "on a quiet machine, or measured for longer, they may be: " + _LONGER if answer.ratio else ""
            said = "%s: %s against %s is %s" % (what, bad[:12], good[:12], answer)
            raise Stop(SURROUNDINGS, "; ".join(filter(None, (said, mend))))
        low, high, unknown = -1, len(commits) - 1, set()  # low is not slower, or `good` itself; high is
        while True:
            inner = [i for i in range(low + 1, high) if i not in unknown]
            if not inner:
                break
            at = min(inner, key=lambda i: (abs(2 * i - low - high), i))
            verdict = self._ask(good, commits[at]).verdict
            if verdict == SLOWER:
                high = at
            elif verdict == NOT_SLOWER:
                low = at
            else:
                unknown.add(at)
        among = commits[low + 1 : high + 1]
        if len(among) > 1:
            return Found(commits[high], among, None, self._asked)
        parent = commits[low] if low >= 0 else good
        return Found(
            commits[high], among, answer if len(commits) == 1 else self._ask(parent, commits[high]), self._asked
        )

    def _ask(self, baseline, candidate):
        self._asked += 1
        answer = self._compare(baseline, candidate)
        self._say("%s against %s: %s" % (candidate[:12], baseline[:12], answer))
        return answer


class Compare:
    """//tools:compare as a process: an Answer for two commits."""

    def __init__(self, program, label, flags, environment):
        self._program, self._label, self._flags, self._environment = program, label, flags, environment

    def __call__(self, baseline, candidate):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "compare.json")
            sides = [
                "--baseline=git:%s %s" % (baseline, self._label),
                "--candidate=git:%s %s" % (candidate, self._label),
            ]
            words = [self._program, *sides, "--gate", "--json=" + path, *self._flags]
            done = subprocess.run(
                words, env=self._environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
            )
            try:
                with open(path, encoding="utf-8") as f:
                    return answer_of(comparisons.read(f.read()))
            except (OSError, ValueError):  # it ended before it wrote any
                said = (done.stderr + done.stdout).strip().splitlines()
                return Answer(
                    UNKNOWN, None, None, said[-1] if said else "tools:compare ended with exit code %d" % done.returncode
                )


def answer_of(comparison):
    """The conclusion of the slowest of several steps or modes of a case."""
    for case in comparison.cases:
        if case.failure:
            text = "%s, %s: %s" % (case.failure.side, case.failure.outcome, case.failure.message)
            return Answer(UNKNOWN, None, None, text)
    verdicts = {series.verdict for series in comparison.series}
    known = [series for series in comparison.series if series.estimate and series.estimate.ratio]
    slowest = max(known, key=lambda series: series.estimate.ratio, default=None)
    figures = (slowest.estimate.ratio, slowest.estimate.interval) if slowest else (None, None)
    if comparison.interrupted or not verdicts:
        return Answer(UNKNOWN, None, None, "nothing was compared")
    if "SLOWER" in verdicts:
        return Answer(SLOWER, *figures, "")
    doubts = sorted({series.doubt for series in comparison.series if series.doubt})
    if doubts:
        return Answer(UNKNOWN, *figures, "FASTER, and " + "; ".join(doubts))
    if verdicts <= {"FASTER", "SAME"}:
        return Answer(NOT_SLOWER, *figures, "")
    return Answer(
        UNKNOWN, *figures, "; ".join(sorted({series.reason or series.verdict for series in comparison.series}))
    )
