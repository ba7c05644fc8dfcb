"""A run's output: a line for each mutant, the table, the survivors with their diffs, docs/data/mutation.md and JSON.

    report.line(mutant, verdict)
    report.table(results)                  # lines; results: [(mutant, verdict)]
"""

import collections

from tools.artifacts.inventory import output
from ci.mutate.verdict import ABORTED, EQUIVALENT, KILLS, NOT_COMPILED, STATES, SURVIVED, TIMED_OUT, score

DOCUMENT = "docs/data/mutation.md"
_COMMAND = "tools/bazel run //tools:mutate -- --full --write-docs"
_DOCUMENT = """# Mutation score

Small faults were put into the C++ of models, layers, training and operators, one at a time: a constant, an epsilon, a branch, an
activation, an order of arguments, a dropped call ([all kinds](../../ci/mutate/mutants.py)). A fault is
killed if a test of `tools/bazel test //...`, or of `--config=extra`, that depends on the file fails with it. The score is the share of killed
faults. It leaves out faults that the compiler refuses, and equivalent ones, which compute the same ([why](../../ci/mutate/equivalent.json)).
No faults were put into code that only refuses bad input.

Made by `%s`, which replaces the rows of the scopes that it judged whole; `--family=swin` judges one.

%s
"""


def line(mutant, verdict):
    return "%-12s %s  %s:%d  %s  %s" % (verdict.state, mutant.id, mutant.path, mutant.line, mutant.operator, verdict.by)


def _rows(results):
    """[scope, mutants, killed, survived, equivalent, not compiled, score] of each scope and of all together."""
    scopes = collections.defaultdict(list)
    for mutant, verdict in results:
        scopes[mutant.scope].append(verdict)
    rows = [_row(scope, verdicts) for scope, verdicts in scopes.items()]
    return rows + [_row(_ALL, [verdict for _, verdict in results])]


def _row(name, verdicts):
    states = collections.Counter(verdict.state for verdict in verdicts)
    return [name, len(verdicts), sum(states[state] for state in KILLS), states[SURVIVED], states[EQUIVALENT], states[NOT_COMPILED],
            _percent(score(verdicts))]


def _percent(value):
    """100 % where nothing survived, and nowhere else."""
    return "-" if value is None else "%.0f %%" % (value if value == 100 else min(value, 99))


_ALL = "all"
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


def document(results, commit, before):
    """The text of docs/data/mutation.md.

    Args:
      results: of whole scopes.
      commit: at which they were judged.
      before: the text so far, "" for none. Its scopes that are not among the results keep their rows.
    """
    rows, found = _of_document(before)
    judged = _rows(results)[:-1] if results else []
    for row in judged:
        rows[row[0]] = [str(cell) for cell in row] + [commit]
    found = [text for text in found if text.split()[1] not in {row[0] for row in judged}]
    found += ["- %s `%s:%d` %s: `%s` → `%s`" % (mutant.scope, mutant.path, mutant.line, mutant.operator, mutant.before, mutant.after)
              for mutant, verdict in results if verdict.state == SURVIVED]
    head = [name.lstrip(">") for name in _HEAD] + ["commit"]
    table_rows = [head, ["---"] + ["---:"] * (len(head) - 2) + ["---"], *(rows[name] for name in sorted(rows)), _sum(rows.values())]
    lines = ["| " + " | ".join(row) + " |" for row in table_rows]
    return _DOCUMENT % (_COMMAND, "\n".join(lines + (["", "Not found by any test:", "", *sorted(found)] if found else [])))


def _of_document(text):
    """({scope: cells}, lines of survivors)"""
    lines = text.splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return {row[0]: row for row in rows if row[0] not in (_HEAD[0], "---", _ALL)}, [line for line in lines if line.startswith("- ")]


def _sum(rows):
    count, killed, survived, equivalent, refused = (sum(int(row[column]) for row in rows) for column in range(1, 6))
    percent = _percent(100.0 * killed / (killed + survived) if killed + survived else None)
    return [_ALL, *map(str, (count, killed, survived, equivalent, refused)), percent, ""]


def records(results):
    """For JSON: one dictionary a mutant."""
    assert all(verdict.state in STATES for _, verdict in results)
    return [
        {"mutant": mutant.id, "scope": mutant.scope, "file": mutant.path, "line": mutant.line, "operator": mutant.operator,
         "before": mutant.before, "after": mutant.after, "state": verdict.state, "by": verdict.by, "seconds": verdict.seconds}
        for mutant, verdict in results
    ]
