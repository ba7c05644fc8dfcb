"""Which measurement of a run stands for its case where a case has one time: on a page, in a speedup, in another suite's format.

    headline.rank("generate", True)     # the smallest is the one
    headline.RANK                       # the same as SQL, of columns `step` and `headline` of a measurement

The record says it (record.proto, Measurement.headline; benchmarks/harness/record/headline.h is the same in C++). Records of other
suites, and those from before that field, say only names: there it is the step that is the whole of its program.
"""

_WHOLE = ("train_step", "generate", "forward")


def rank(step, marked):
    if marked:
        return 0
    return 1 + (_WHOLE.index(step) if step in _WHOLE else len(_WHOLE))


RANK = "CASE WHEN headline THEN 0 %s ELSE %d END" % (
    " ".join("WHEN step = '%s' THEN %d" % (step, rank(step, False)) for step in _WHOLE),
    rank("", False),
)
