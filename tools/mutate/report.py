"""A run's output: a line for each mutant, the table, the survivors with their diffs, docs/mutation.md and JSON.

    report.line(mutant, verdict)
    report.table(results)                  # lines; results: [(mutant, verdict)]
"""

import collections

from tools.artifacts.inventory import output
from tools.mutate.verdict import ABORTED, EQUIVALENT, KILLS, NOT_COMPILED, STATES, SURVIVED, TIMED_OUT, score

DOCUMENT = "docs/mutation.md"
_DOCUMENT = """# Mutation score

Small faults were put into the C++ of models, layers, training and operators, one at a time: a constant, an epsilon, a branch, an
activation, an order of arguments, a dropped call and the like ([what kinds there are](../tools/mutate/mutants.py)). A fault is
killed where a test of the %s that depends on the file fails with it. The score is the killed of those that are neither
equivalent, which means that they compute the same ([why](../tools/mutate/equivalent.json)), nor refused by the compiler.
Code that only refuses bad input is left alone.

Made by `%s` at commit %s.

%s
%s"""


def line(mutant, verdict):
    return "%-12s %s  %s:%d  %s  %s" % (verdict.state, mutant.id, mutant.path, mutant.line, mutant.operator, verdict.by)


def _rows(results):
    """[scope, mutants, killed, survived, equivalent, not compiled, score] of each scope and of all together."""
    scopes = collections.defaultdict(list)
    for mutant, verdict in results:
        scopes[mutant.scope].append(verdict)
    rows = [_row(scope, verdicts) for scope, verdicts in scopes.items()]
    return rows + [_row("all", [verdict for _, verdict in results])]


def _row(name, verdicts):
    states = collections.Counter(verdict.state for verdict in verdicts)
    percent = score(verdicts)
    return [name, len(verdicts), sum(states[state] for state in KILLS), states[SURVIVED], states[EQUIVALENT], states[NOT_COMPILED],
            "-" if percent is None else "%.0f %%" % percent]


_HEAD = ["scope", ">mutants", ">killed", ">survived", ">equivalent", ">not compiled", ">score"]


def _notes(results):
    states = collections.Counter(verdict.state for _, verdict in results)
    said = ["%d of the killed %s" % (states[state], words) for state, words in ((TIMED_OUT, "ran into the time limit"),
            (ABORTED, "were ended by a signal")) if states[state]]
    return ["; ".join(said)] if said else []


def table(results):
    return output.table(_HEAD, _rows(results)) + _notes(results)


def survivors(results, read):
    """The survivors' places and diffs; read(path) gives the bytes of a file."""
    lines = []
    for mutant, verdict in results:
        if verdict.state == SURVIVED:
            lines += ["", "survived %s  %s:%d  %s" % (mutant.id, mutant.path, mutant.line, mutant.operator),
                      mutant.difference(read(mutant.path)).rstrip("\n")]
    return lines


def document(results, command, commit, tier):
    """The text of docs/mutation.md."""
    head = [name.lstrip(">") for name in _HEAD]
    rows = [head, ["---"] + ["---:"] * (len(head) - 1)] + _rows(results)
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    found = ["- `%s:%d` %s: `%s` → `%s`" % (mutant.path, mutant.line, mutant.operator, mutant.before, mutant.after)
             for mutant, verdict in results if verdict.state == SURVIVED]
    rest = _notes(results) + (["", "Not found by any test:", "", *found] if found else [])
    return _DOCUMENT % (tier, command, commit, "\n".join(lines), "".join("\n" + text for text in rest) + "\n")


def records(results):
    """For JSON: one dictionary a mutant."""
    assert all(verdict.state in STATES for _, verdict in results)
    return [
        {"mutant": mutant.id, "scope": mutant.scope, "file": mutant.path, "line": mutant.line, "operator": mutant.operator,
         "before": mutant.before, "after": mutant.after, "state": verdict.state, "by": verdict.by, "seconds": verdict.seconds}
        for mutant, verdict in results
    ]
