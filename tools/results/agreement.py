"""Whether the parts of a record say the same: one that says PASS and holds a comparison that failed is no result.

    agreement.check(record)      # a struct of record.py; Refused

benchmarks/harness/record/agreement.cc asks the same of the same lines (testdata/hostile.jsonl).
"""

from tools.results.errors import Problem, Refused

_PASS = (None, "PASS")
_BAD_REPLIES = ("wrong_replies", "lost_replies", "doubled_replies")
_ROUNDING = 1e-9  # the rule compares products, not these quotients


def check(record):
    """Another suite's record may have no verdict at all."""
    if record.suite_run and record.outcome:
        raise _disagree("it has an outcome", "it is the end of a suite's run")
    verdict = record.verdict
    if record.outcome == "PASS":
        said = "the outcome is PASS"
        if verdict.outcome not in _PASS:
            raise _disagree(said, "the verdict is %s" % verdict.outcome)
        for rate in record.served:
            _check_replies(rate, said)
    elif verdict.outcome == "PASS":
        said = "the verdict is PASS"
    else:
        return
    for output in verdict.outputs:
        _check_output(output, said)
    for one in verdict.checks:
        if one.status == "CHECK_FLAGGED":
            raise _disagree(said, "check %s of the verdict is FLAGGED" % one.name)
    if verdict.runs and not verdict.runs / 2 < verdict.passed_runs <= verdict.runs:
        raise _disagree(said, "%d of %d accuracy runs passed" % (verdict.passed_runs, verdict.runs))


def _check_replies(rate, said):
    for name in _BAD_REPLIES:
        count = getattr(rate, name)
        if count > 0:  # else it may be absent, a NaN
            raise _disagree(said, "%d %s of %s" % (count, name.replace("_", " "), rate.scenario))


def _check_output(output, said):
    if output.outcome not in _PASS:
        raise _disagree(said, "output %.40r is %s" % (output.name, output.outcome))
    if not output.rms_limit > 0:  # of another rule, which may allow both
        return
    if output.elements_wrong:
        raise _disagree(said, "output %.40r has %d wrong elements" % (output.name, output.elements_wrong))
    if output.rms_error > output.rms_limit * (1 + _ROUNDING):
        raise _disagree(said, "output %.40r has rms_error %r, limit %r" % (output.name, output.rms_error, output.rms_limit))


def _disagree(said, part):
    return Refused(Problem.MALFORMED, "not a record: its parts disagree: %s, and %s" % (said, part))
