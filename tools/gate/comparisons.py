"""Decisions of //tools:compare, as it writes them (--json=FILE), and for the gate: the only way in which a wall time gates.

    comparison = read(text)                    # ValueError for another text
    comparison = of_file("compare.json", shown)
    slower = SlowerWaivers(expected)
    comparison = add(judgement, "compare.json", shown, slower)   # a side that is slower, or a comparison that decided nothing, is a finding
    slower.end(judgement)                           # and so is a waiver that nothing needed

A stored time is never an expectation: between machines of one kind times differ by a tenth, and within one day by more.
"""

import re
from typing import Optional

import msgspec

from tools.gate.judging import SURROUNDING_OUTCOMES
from tools.gate.outputs import percent
from tools.results.errors import BROKEN, SURROUNDINGS, WRONG, Stop
from tools.results.formats.registry import text as text_of

_VERSION = 1
_DECIDED = ("FASTER", "SAME")


class Estimate(msgspec.Struct):
    ratio: Optional[float]  # candidate / baseline
    interval: list[Optional[float]]
    interval_level: float = 0.95


class Series(msgspec.Struct):
    case: str
    mode: str
    verdict: str  # FASTER, SAME, SLOWER, INCONCLUSIVE, NOT_COMPARED
    reason: str = ""
    unverified: str = "the comparison does not say so"  # timed calls that were not verified
    estimate: Optional[Estimate] = None

    @property
    def doubt(self):
        """Why it decides nothing although it is FASTER: a side may be so by computing something else."""
        if self.verdict != "FASTER" or not self.unverified:
            return ""
        return "the timed call was not verified: " + self.unverified


class Failure(msgspec.Struct):
    side: str
    outcome: str
    message: str = ""


class Machine(msgspec.Struct):
    cpu_model: str = ""
    gpu_name: str = ""  # empty: it was the CPU that was measured


class Case(msgspec.Struct):
    name: str
    machine: Machine = msgspec.field(default_factory=Machine)
    lost: list[str] = []
    failure: Optional[Failure] = None


class Comparison(msgspec.Struct):
    schema_version: int
    same_sides: bool
    recorded_runs: bool
    injected: str
    interrupted: bool
    lost: list[str]
    cases: list[Case]
    series: list[Series]
    command: str = ""  # that made it; a comparison of an older tree does not say so
    metric: str = "wall"  # what of a call is compared


class SlowerWaivers:
    """The waivers of FILE.toml that let a case be slower, and whether a comparison needed them."""

    def __init__(self, expected):
        self._expected, self._seen, self._used = expected, set(), set()

    def allows(self, case, mode, device, is_slower):
        found = [w for w in self._expected.waivers if mode in w.slower and w.device in (None, device) and re.fullmatch(w.case, case)]
        self._seen.update(w.line for w in found)
        if is_slower:
            self._used.update(w.line for w in found)
        return bool(found)

    def end(self, judgement):
        """Judges only cases and modes that a comparison was about."""
        path = self._expected.path
        for waiver in self._expected.waivers:
            if waiver.line in self._seen - self._used:
                said = "%s:%d: waiver of %s, owner %s: no comparison found it slower" % (path, waiver.line, waiver.case, waiver.owner)
                judgement.add("UNUSED", said, "take it out", file=path, line=waiver.line)

    def hint(self, series, device):
        """The lines that let it be slower."""
        where = "a [[waiver]] in %s with case = %r, slower = [%r], device = %r, owner, reason, link and expires" % (
            self._expected.path,
            series.case,
            series.mode,
            device,
        )
        return "make it as fast again; if it is to be slower: %s" % where


def of_file(path, shown):
    """One of BROKEN, or a Stop, for another file."""
    return read(text_of(path, shown))


def read(text):
    comparison = msgspec.json.decode(text, type=Comparison)
    if comparison.schema_version != _VERSION:
        raise ValueError("schema version %d, and this program reads %d" % (comparison.schema_version, _VERSION))
    return comparison


def _why_undecided(series):
    if series.reason:
        return series.reason
    low, high = series.estimate.interval if series.estimate else (None, None)
    shown = " .. ".join("open" if end is None else percent(end) for end in (low, high))
    return "the interval of its ratio, %s, is too wide to decide" % shown if series.estimate else "it has no ratio"


def add(judgement, path, shown, slower):
    """The comparison; None for a file that is none."""
    again = "measure again with the command that wrote %s (tools/bazel run //tools:compare)" % shown

    def undecided(message, code=SURROUNDINGS):
        judgement.add("NOT_COMPARED", "%s: %s" % (shown, message), again, file=shown, code=code)

    try:
        comparison = of_file(path, shown)
    except (*BROKEN, Stop) as error:
        return undecided("no result of //tools:compare: %s" % error)
    if comparison.command:
        again = "measure again, on a quieter machine or with more --pairs: " + comparison.command
    for problem in problems(comparison):
        undecided(*problem)
    cards = {case.name: case.machine.gpu_name for case in comparison.cases if case.machine.gpu_name}
    for series in comparison.series:
        card = cards.get(series.case, "")
        device = "CUDA" if card else "CPU"
        is_slower = series.verdict == "SLOWER"
        waived = slower.allows(series.case, series.mode, device, is_slower)
        if is_slower and not waived:
            ratio = series.estimate and series.estimate.ratio
            what = "%s: %s/%s%s" % (shown, series.case, series.mode, card and " on " + card)
            said = "%s: the candidate is slower%s" % (what, ", ratio %.4f" % ratio if ratio else "")
            judgement.add("SLOWER", said, slower.hint(series, device), file=shown)
        elif series.doubt:
            undecided("%s/%s is FASTER, and %s" % (series.case, series.mode, series.doubt))
        elif not is_slower and series.verdict not in _DECIDED:
            undecided("%s/%s is %s: %s" % (series.case, series.mode, series.verdict, _why_undecided(series)))
    return comparison


def problems(comparison):
    """(a sentence, the exit code) of each reason why it decides little or nothing."""
    for wrong, message in (
        (comparison.same_sides, "compares the baseline with itself"),
        (comparison.recorded_runs, "compares runs that are over, whose order nobody knows"),
        (comparison.injected, "a delay was injected into the candidate"),
        (comparison.interrupted, "was interrupted"),
        (not comparison.series, "nothing was compared"),
    ):
        if wrong:
            yield message, SURROUNDINGS
    for text in [*comparison.lost, *("%s: %s" % (c.name, text) for c in comparison.cases for text in c.lost)]:
        yield "the candidate lost something: " + text, SURROUNDINGS
    for case in comparison.cases:
        if case.failure:
            code = SURROUNDINGS if case.failure.outcome in SURROUNDING_OUTCOMES else WRONG
            yield "%s, %s: %s %s" % (case.name, case.failure.side, case.failure.outcome, case.failure.message), code
