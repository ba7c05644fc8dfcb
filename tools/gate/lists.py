"""Other suites' lists of expected accuracies, PyTorch's ci_expected_accuracy and Intel's, against the last verified runs in a
database of results, which reads those suites' files, too.

    judge(judgement, connection, "lists/inductor_huggingface_training.csv", "inductor_huggingface_training.csv", where="")

A list has a line for each model: `name,accuracy,graph_breaks`, or `name` and a column for each dtype: float32, bfloat16,
float16, amp_bf16, ... . A word of the list stands for what outcome_names.py says. `training` or `inference` in the file's
name chooses the runs of that mode. The last run is the one that began last and, should a clock have been ahead, that of the last
line of its file, too. Graph breaks are not looked at: a record has no field for them. A failure that is
listed is known; waivers, with owner and date, only this suite's own expectations have.
"""

import os
import re

from tools.gate import doubts
from tools.gate.expectations import Key
from tools.gate.judging import SAYS_NOTHING
from tools.results import database, named_queries, outcome_names, query
from tools.results.errors import SURROUNDINGS, WRONG, Stop
from tools.results.formats import document, registry

# A column's condition on a run.
_CONDITIONS = {
    "accuracy": lambda dtype, autocast: True,
    **{
        name: lambda dtype, autocast, want=want: (dtype, autocast) == (want, None)
        for name, want in document.DTYPES.items()
    },
    **{name: lambda dtype, autocast, want=want: autocast == want for name, want in document.AUTOCASTS.items()},
}
_LAST = """{groups},
run AS (
  SELECT coalesce(c.model, c.case_name) AS name, c.dtype, c.autocast, c.case_mode, r.outcome, c.case_name, c.device,
    r.started_utc, r.source,
    (SELECT group_concat(x.flagged, ' ') FROM measurements x WHERE {measured}) AS flagged,
    row_number() OVER (PARTITION BY f.number, p.number ORDER BY r.started_utc DESC, r.id DESC) AS age,
    row_number() OVER (PARTITION BY f.number, p.number, r.source ORDER BY r.line DESC) AS age_in_file,
    first_value(r.source) OVER (PARTITION BY f.number, p.number ORDER BY r.started_utc DESC, r.id DESC) AS last_source
  FROM records r JOIN cases c ON c.id = r.case_id JOIN configuration f ON f.id = r.case_id
    JOIN place p ON p.id = r.machine_id WHERE r.outcome <> 'NOT_VERIFIED'{chosen})
SELECT name, dtype, autocast, case_mode, outcome, case_name, device, started_utc, flagged FROM run
WHERE age = 1 OR age_in_file = 1 AND source = last_source ORDER BY case_name, device, age"""


def judge(judgement, connection, path, shown, where):
    columns, lines, problems = document.csv_rows(registry.text(path, shown))
    wanted = [name for name in columns if name in _CONDITIONS]
    if "name" not in columns or not wanted:
        raise Stop(
            SURROUNDINGS,
            "%s: not a list of expected accuracies; its first line is `name,accuracy,…` or `name,float32,…`, of %s"
            % (shown, ", ".join(_CONDITIONS)),
        )
    runs = _runs(connection, where, re.search("training|inference", os.path.basename(shown)))
    judgement.runs = sum(map(len, runs.values()))
    if not judgement.runs:
        judgement.add(
            "NOTHING",
            "no verified run of that mode",
            "import results first: tools/bazel run //tools:results -- import FILE...",
        )
    for number, line in lines:
        for column in wanted:
            want = outcome_names.from_name_in(outcome_names.TORCH_DYNAMO, line[column])
            if want:
                found = [run for run in runs.get(line["name"], ()) if _CONDITIONS[column](*run[:2])]
                for run in found or [None]:
                    _judge(judgement, line["name"], column, line[column], want, run, {"file": shown, "line": number})
            elif line[column]:
                problems.append(
                    (number, "malformed", "%s %.40r is none of TorchDynamo's words" % (column, line[column]))
                )
    for number, kind, message in problems:
        judgement.add(
            "NOT_WHOLE",
            "%s:%d: %s: %s" % (shown, number, kind, message),
            "mend the list",
            file=shown,
            line=number,
            code=WRONG,
        )
    if not judgement.states:
        judgement.add("NOTHING", "%s: an empty list" % shown, "name another", file=shown)


def _runs(connection, where, mode):
    """name -> [(dtype, autocast, outcome, ...)]"""
    chosen = " AND r.id IN (SELECT id FROM runs WHERE (%s\n))" % where if where else ""
    sql = _LAST.replace("{groups}", named_queries.GROUPS).replace("{measured}", database.MEASURED)
    sql = sql.replace("{chosen}", chosen).strip()
    runs = {}
    for name, dtype, autocast, case_mode, *run in query.rows(connection, sql)[1]:
        if not mode or case_mode == {"training": "TRAIN", "inference": "EVAL"}[mode[0]]:
            runs.setdefault(name, []).append((dtype, autocast, *run))
    return runs


def _judge(judgement, name, column, word, want, run, place):
    if run is None:
        key = Key(name, "", column)
        judgement.add("MISSING", "%s: no run" % (key,), "run it, and import its results", key, **place)
        return
    _, _, outcome, case_name, device, started, flagged = run
    key = Key(name, device or "", " ".join(filter(None, (column, case_name if case_name != name else ""))))
    got = outcome_names.name_in(outcome_names.TORCH_DYNAMO, outcome)
    said = "%s: %s, expected %s (run of %s)" % (key, got, word, started)
    other_work = [name for name in (flagged or "").split() if name in doubts.OTHER_WORK]
    if outcome == "PASS" and other_work:
        message = "%s: check %s FLAGGED (run of %s)" % (key, other_work[0], started)
        judgement.add("FAILED", message, "mend it: what was timed is other work than what was verified", key, **place)
    elif outcome == want:
        state = {"PASS": "passed", "SKIPPED_DECLARED": "skipped"}.get(outcome, "known")
        judgement.states.setdefault(key, state)
    elif outcome == "PASS":
        judgement.add("BETTER", said, "good: write `pass` into its line", key, **place)
    else:
        code = SURROUNDINGS if outcome in SAYS_NOTHING else WRONG
        judgement.add(
            "FAILED", said, "mend it; if that is right, write `%s` into its line" % got, key, code=code, **place
        )
