"""Decisions of //tools:compare, as it writes them (--json=FILE), and for the gate: the only way in which a wall time gates.

    comparison = read(text)                    # ValueError for another text
    add(judgement, "compare.json", shown)      # a side that is slower, or a comparison that decided nothing, is a finding

A stored time is never an expectation: between machines of one kind times differ by a tenth, and within one day by more.
"""

from typing import Optional

import msgspec

from tools.gate.judging import SURROUNDING_OUTCOMES
from tools.results.errors import BROKEN, SURROUNDINGS, WRONG, Stop
from tools.results.formats.registry import text as text_of

_VERSION = 1
_DECIDED = ("FASTER", "SAME")


class Estimate(msgspec.Struct):
    ratio: Optional[float]  # candidate / baseline
    interval: list[Optional[float]]


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


def read(text):
    comparison = msgspec.json.decode(text, type=Comparison)
    if comparison.schema_version != _VERSION:
        raise ValueError("schema version %d, and this program reads %d" % (comparison.schema_version, _VERSION))
    return comparison


def add(judgement, path, shown):
    again = "measure again: tools/bazel run //tools:compare -- … --gate --json=%s" % shown

    def undecided(message, code=SURROUNDINGS):
        judgement.add("NOT_COMPARED", "%s: %s" % (shown, message), again, file=shown, code=code)

    try:
        comparison = read(text_of(path, shown))
    except (*BROKEN, Stop) as error:
        return undecided("no result of //tools:compare: %s" % error)
    for wrong, message in (
        (comparison.same_sides, "compares the baseline with itself"),
        (comparison.recorded_runs, "compares runs that are over, whose order nobody knows"),
        (comparison.injected, "a delay was injected into the candidate"),
        (comparison.interrupted, "was interrupted"),
        (not comparison.series, "nothing was compared"),
    ):
        if wrong:
            undecided(message)
    for text in [*comparison.lost, *("%s: %s" % (c.name, text) for c in comparison.cases for text in c.lost)]:
        undecided("the candidate lost something: " + text)
    for case in comparison.cases:
        if case.failure:
            code = SURROUNDINGS if case.failure.outcome in SURROUNDING_OUTCOMES else WRONG
            undecided(
                "%s, %s: %s %s" % (case.name, case.failure.side, case.failure.outcome, case.failure.message), code
            )
    cards = {case.name: " on " + case.machine.gpu_name for case in comparison.cases if case.machine.gpu_name}
    for series in comparison.series:
        what = "%s: %s/%s%s" % (shown, series.case, series.mode, cards.get(series.case, ""))
        if series.verdict == "SLOWER":
            ratio = series.estimate and series.estimate.ratio
            said = "%s: the candidate is slower%s" % (what, ", ratio %.4f" % ratio if ratio else "")
            judgement.add(
                "SLOWER", said, "make it as fast again, or say in the review why it may be slower", file=shown
            )
        elif series.doubt:
            undecided("%s/%s is FASTER, and %s" % (series.case, series.mode, series.doubt))
        elif series.verdict not in _DECIDED:
            undecided("%s/%s is %s: %s" % (series.case, series.mode, series.verdict, series.reason))
    return None
