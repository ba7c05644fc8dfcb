"""Changes between two results of the same cases: a suite's run last week and one today.

    tables = changes.report(points, old, new, changes.Options(("old", "new"), threshold=0.07))   # old, new: masks of the points

    code = changes.code(points, new)                                        # 1: a case of the new side is wrong

Each case is one row: the last run of each side, the ratio of their times with its interval, and a decision. A run is one process,
whose samples say nothing of the next process (tools/compare/decision/decision.h). So a time counts as another one only where the whole
interval is beyond the threshold, 7 % as in TorchBench's test; below, tools:compare measures it, which starts processes in turns.
"""

import collections
import re
from typing import NamedTuple

import numpy as np

from defs.proto import record_types
from tools.report import estimates, pictures
from tools.report.points import SERVED
from tools.report.tables import Table
from tools.results.errors import OK, SURROUNDINGS, WRONG

# In the order in which rows stand.
FAILED, SLOWER, MISSING, NOT_COMPARED, INCONCLUSIVE, BETTER, FASTER, NEW, SAME, STILL = DECISIONS = (
    "FAILED",
    "SLOWER",
    "MISSING",
    "NOT_COMPARED",
    "INCONCLUSIVE",
    "BETTER",
    "FASTER",
    "NEW",
    "SAME",
    "STILL_FAILED",
)
_RAN = frozenset(name for name, code in record_types.EXIT_CODES.items() if code == OK)
_MOST_NAMED = 5


class Options(NamedTuple):
    names: tuple  # of the two sides
    threshold: float


class _Row(NamedTuple):
    name: str
    is_ours: bool  # tools:compare can measure it
    backend: str
    place: str
    old: float
    new: float
    ratio: tuple  # (value, low, high)
    decision: str
    reason: str


def report(points, old, new, options):
    before, after = (_last(points.chosen(mask)) for mask in (old, new))
    rows = [_row(points, before.get(key), after.get(key), options) for key in {**before, **after}]
    rows = _joined(rows)
    rows.sort(key=lambda row: (DECISIONS.index(row.decision), row.name, row.backend, row.place))
    commits = {last.campaigns[last.campaign[i]].commit for last, i in before.values()}
    return [_table(rows, points, options, commits.pop()[:12] if len(commits) == 1 else "")]


def code(points, new):
    """The exit code that the new side's outcomes ask for, whatever the old side's were: as of a run."""
    outcomes = {_outcome(*last) for last in _last(points.chosen(new)).values()}
    codes = {record_types.EXIT_CODES.get(outcome, WRONG) for outcome in outcomes}
    return next((code for code in (WRONG, SURROUNDINGS) if code in codes), OK)


def _last(points):
    """{(workload, back end, machine): (points, place in them)} of the last runs."""
    last = points.last_of_each(campaigns=False)
    last = last.chosen(~last.verdict_only)
    return {key: (last, i) for i, key in enumerate(zip(last.workload.tolist(), last.backend.tolist(), last.place.tolist()))}


def _row(points, before, after, options):
    made, i = after or before
    is_ours = points.workloads[made.workload[i]].suite == "assay"
    head = (made.case_name(i), is_ours, points.backends[made.backend[i]], points.places[made.place[i]])
    times = [float(side[0].value[side[1]]) if side else np.nan for side in (before, after)]
    decision, reason, ratio = _decided(before, after, options)
    return _Row(*head, *(None if np.isnan(time) else time for time in times), ratio, decision, reason)


def _decided(before, after, options):
    """(decision, reason, (ratio, low, high))."""
    nothing = (None,) * 3
    if not before or not after:
        side = options.names[0 if before else 1]
        return (MISSING if before else NEW), "only in %s: %s" % (side, _outcome(*(before or after))), nothing
    outcomes = [_outcome(*side) for side in (before, after)]
    failed = [outcome not in _RAN for outcome in outcomes]
    if any(failed):
        decision = STILL if all(failed) else FAILED if failed[1] else BETTER
        return decision, outcomes[1] if outcomes[0] == outcomes[1] else "%s, before %s" % (outcomes[1], outcomes[0]), nothing
    reasons = [points.reasons[points.reason[i]] for points, i in (before, after)]
    if reasons == [SERVED, SERVED]:
        return NOT_COMPARED, "under load: the next table has its latencies", nothing
    if any(reasons):
        said = ["%s: %s" % pair for pair in zip(options.names, reasons) if pair[1]]
        return NOT_COMPARED, "; ".join(said), nothing
    (old, i), (new, j) = before, after
    ratio = estimates.ratio(new.estimates[[j]], old.estimates[[i]]).one(0)[:3]
    return (*_of_ratio(*ratio, options.threshold), ratio)


def _of_ratio(value, low, high, threshold):
    if low is None:
        apart = value > 1 + threshold or value < 1 / (1 + threshold)
        return INCONCLUSIVE, "no interval" + (", the ratio is beyond %g %%" % (100 * threshold) if apart else "")
    if low > 1 + threshold:
        return SLOWER, ""
    if high < 1 / (1 + threshold):
        return FASTER, ""
    if 1 / (1 + threshold) <= low and high <= 1 + threshold:
        return SAME, ""
    return INCONCLUSIVE, "the interval lies on both sides of %+g %%" % (100 * threshold * (1 if value >= 1 else -1))


def _outcome(points, i):
    return points.outcomes[points.outcome[i]]


def _joined(rows):
    """A case that is on one machine before and on another one after is one row without a ratio."""
    alone, kept = collections.defaultdict(dict), []
    for row in rows:
        if row.decision in (MISSING, NEW):
            alone[row.name, row.backend].setdefault(row.decision, []).append(row)
        else:
            kept.append(row)
    for sides in alone.values():
        gone, come = sides.get(MISSING, []), sides.get(NEW, [])
        if len(gone) == len(come) == 1:
            (a,), (b,) = gone, come
            kept.append(b._replace(old=a.old, decision=NOT_COMPARED, reason="before on %s (--across compares all the same)" % a.place))
        else:
            kept += gone + come
    return kept


def _table(rows, points, options, commit):
    several = [len({getattr(row, name) for row in rows}) > 1 for name in ("backend", "place")]
    columns = ["Case", *(name for name, is_one in zip(("Backend", "Machine"), several) if is_one)]
    columns += [">Old ms", ">New ms", ">New/old", ">Low95", ">High95", "Decision", "Reason"]
    cells = []
    for row in rows:
        head = [row.name, *(value for value, is_one in zip((row.backend, row.place), several) if is_one)]
        times = [None if time is None else time / 1e6 for time in (row.old, row.new)]
        cells.append([*head, *times, *row.ratio, row.decision, row.reason])
    return Table("%s against %s" % options.names[::-1], columns, cells, _notes(rows, options, commit), points.left_out(), _picture(rows, options))


def _notes(rows, options, commit):
    counted = collections.Counter(row.decision for row in rows)
    percent = 100 * options.threshold
    notes = [", ".join("%d %s" % (counted[name], name) for name in DECISIONS if counted[name])]
    notes.append("a ratio above 1: %s is slower; SLOWER and FASTER: the whole interval is beyond %g %% (--threshold)" % (options.names[1], percent))
    flagged = [row.name for row in rows if row.is_ours and row.decision == NOT_COMPARED and "FLAGGED" in row.reason]
    asked = [row.name for row in rows if row.is_ours and row.decision in (SLOWER, FASTER, INCONCLUSIVE)] + flagged
    if flagged:
        notes.append(
            "%d not compared because a time is FLAGGED: other programs disturbed it. Repeat these runs on a quiet machine, "
            "or compare CPU times with the command below and --metric=cpu" % len(flagged)
        )
    if asked:
        some = "|".join(re.escape(name).replace("\\-", "-") for name in dict.fromkeys(asked[:_MOST_NAMED]))
        command = "tools/bazel run //tools:compare -- --baseline=git:%s --candidate=. --cases='^(%s)$'" % (commit or "OLD_COMMIT", some)
        notes.append("each run is one process; whether the code is slower, processes in turns tell: " + command)
    return notes


def _picture(rows, options):
    known = [row for row in rows if row.ratio[0] is not None]
    title = "Time of %s over that of %s" % options.names[::-1]
    parts = [list(part) for part in zip(*(row.ratio for row in known))] or [[], [], []]
    series = pictures.Series("ratio", [row.name for row in known], *parts)
    return pictures.Picture(title, "case", "ratio", "intervals", [series] if known else [], reference=1.0)
