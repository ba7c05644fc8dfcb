"""Decisions of //tools:compare for the gate: the only way in which a wall time gates.

    add(judgement, "compare.json", shown)      # of --json=FILE: a side that is slower, or a comparison that decided nothing

A stored time is never an expectation: between machines of one kind times differ by a tenth, and within one day by more.
"""

import msgspec

from tools.gate.judging import SURROUNDING_OUTCOMES
from tools.results.errors import SURROUNDINGS, WRONG, Stop
from tools.results.formats.registry import text as text_of

_VERSION = 1
_DECIDED = ("FASTER", "SAME")


class _Series(msgspec.Struct):
    case: str
    mode: str
    verdict: str
    reason: str = ""
    estimate: object = None


class _Failure(msgspec.Struct):
    side: str
    outcome: str
    message: str = ""


class _Case(msgspec.Struct):
    name: str
    lost: list[str] = []
    failure: object = None


class _Comparison(msgspec.Struct):
    schema_version: int
    same_sides: bool
    recorded_runs: bool
    injected: str
    interrupted: bool
    lost: list[str]
    cases: list[_Case]
    series: list[_Series]


def add(judgement, path, shown):
    again = "measure again: tools/bazel run //tools:compare -- … --gate --json=%s" % shown

    def undecided(message, code=SURROUNDINGS):
        judgement.add("NOT_COMPARED", "%s: %s" % (shown, message), again, file=shown, code=code)

    try:
        comparison = msgspec.json.decode(text_of(path, shown), type=_Comparison)
    except (ValueError, Stop) as error:
        return undecided("no result of //tools:compare: %s" % error)
    if comparison.schema_version != _VERSION:
        return undecided("schema version %d, and this program reads %d" % (comparison.schema_version, _VERSION))
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
            failure = msgspec.convert(case.failure, _Failure)
            code = SURROUNDINGS if failure.outcome in SURROUNDING_OUTCOMES else WRONG
            undecided("%s, %s: %s %s" % (case.name, failure.side, failure.outcome, failure.message), code)
    for series in comparison.series:
        what = "%s: %s/%s" % (shown, series.case, series.mode)
        if series.verdict == "SLOWER":
            ratio = (series.estimate or {}).get("ratio")
            said = "%s: the candidate is slower%s" % (what, ", ratio %.4f" % ratio if ratio else "")
            judgement.add("SLOWER", said, "make it as fast again, or say in the review why it may be slower", file=shown)
        elif series.verdict not in _DECIDED:
            undecided("%s/%s is %s: %s" % (series.case, series.mode, series.verdict, series.reason))
    return None
