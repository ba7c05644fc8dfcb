"""--update: the rows that results ask for.

    update = rows_of(expected, registry, runs, commit, more=["forward.allocations"])
    update.rows, update.changes, update.refused

Writes no failure down as expected that no waiver explains, and drops no row because a result is missing: a row goes only with
its case. Results that differ for one key, or are from elsewhere, change nothing; the gate says so afterwards.
"""

from typing import NamedTuple

from tools.gate import doubts, judging, runs as results_of
from tools.gate.expectations import GOOD, Row


class Update(NamedTuple):
    rows: list
    changes: list  # of text, one for each row that is another one than before
    refused: list


def rows_of(expected, registry, runs, commit, more):
    wanted = judging.wanted_keys(expected, registry)
    counted, _ = judging.here(expected, runs, commit)
    update = Update([], [], [])
    for key in sorted(wanted | set(expected.rows)):
        before = expected.rows.get(key)
        if key not in wanted:
            update.changes.append("- %s %s: no such case in the scope" % (key, before.outcome))
            continue
        row = _row(key, before, counted.get(key), expected, more, update.refused)
        if row is None:
            continue
        update.rows.append(row)
        if before is None:
            update.changes.append("+ %s %s" % (key, row.outcome))
        else:
            update.changes.extend("~ %s: %s" % (key, text) for text in _differences(before, row))
    return update


def _row(key, before, results, expected, more, refused):
    if not results:
        return before
    run = judging.worst(results)
    outcome = run.outcome
    if outcome not in GOOD:
        covering = [w for w in expected.waivers if w.covers(key)]
        if any(outcome in w.flaky for w in covering):
            return before or Row(key, "PASS", {})
        if not any(outcome == w.outcome for w in covering):
            refused.append(
                "%s: %s (%s); write a waiver for it into %s first, or mend it"
                % (key, outcome, run.source, expected.path)
            )
            return before
    against = _against(key, results, expected)
    if against:
        refused.append("%s; write a waiver for it into %s first, or mend it" % (against, expected.path))
        return before
    names = set(more) | set(before.counters if before else ())
    return Row(key, outcome, {n: v for n, v in run.counters.items() if n in names or _by_default(n)})


def _against(key, results, expected):
    """The first doubt of runs that passed which no waiver covers."""
    waivers = [w for w in expected.waivers if w.covers(key)]
    for run in results:
        for doubt in run.doubts:
            if not any(doubts.waived(doubt, waiver) for waiver in waivers):
                return "%s: %s (%s)" % (key, doubt.message, run.source)
    return ""


def _by_default(name):
    return name.rpartition(".")[2] not in results_of.OF_ONE_MACHINE


def _differences(before, row):
    if before.outcome != row.outcome:
        yield "%s -> %s" % (before.outcome, row.outcome)
    for name in sorted({*before.counters, *row.counters}):
        old, new = before.counters.get(name, "absent"), row.counters.get(name, "absent")
        if old != new:
            yield "%s %s -> %s" % (name, old, new)
