"""Why a run that passed does not count as a pass: what its own record says against it.

    for doubt in of(record): doubt.kind, doubt.message
    left = [doubt for doubt in run.doubts if not waived(doubt, waiver)]

A machine that is busy or throttles flags other checks (sampling/validity.h). They say that a time is not to be trusted, and the
gate looks at no time. `not_memoised` is not among those below either: it compares times, so a busy machine may raise it.
"""

from typing import NamedTuple

# Checks that say that what was timed is other work than what was verified. No noise of a machine raises them.
OTHER_WORK = ("inputs_matter", "inputs_unchanged", "outputs_unchanged", "possible", "timed_is_verified")
# Outcomes of which a majority is made (record/majority.cc); a waiver of a flaky case names one of them.
VOTES = ("FAIL_ACCURACY", "FAIL_NONFINITE", "NONDETERMINISTIC_BASELINE")


class Doubt(NamedTuple):
    kind: str  # of the finding
    check: str  # whose name a waiver must have; "" for a majority
    message: str


def of(record):
    """Why a record whose outcome is PASS is no clean pass."""
    verdict, found = record.verdict, []
    if verdict.passed_runs < verdict.runs:
        text = "passed in %d of %d accuracy runs" % (verdict.passed_runs, verdict.runs)
        found.append(Doubt("FLAKY", "", text))
    for m in record.measurements:
        for check in m.checks:
            if check.status == "CHECK_FLAGGED" and check.name in OTHER_WORK:
                text = "%s/%s: check %s FLAGGED: %s" % (m.mode, m.step, check.name, check.detail)
                found.append(Doubt("FAILED", check.name, text))
    return tuple(found)


def waived(doubt, waiver):
    if waiver is None:
        return False
    return doubt.check in waiver.flagged if doubt.check else not set(VOTES).isdisjoint(waiver.flaky)
