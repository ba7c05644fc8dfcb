"""expected: the last verified runs against a list of expected accuracies, of PyTorch's ci_expected_accuracy or Intel's.

    rows, problems = against(connection, "lists/inductor_huggingface_training.csv", "inductor_huggingface_training.csv", where="")

A list has a line for each model: `name,accuracy,graph_breaks`, or `name` and a column for each dtype: float32, bfloat16,
float16, amp_bf16, ... . A word of the list stands for what outcome_names.py says. `training` or `inference` in the file's
name chooses the runs of that mode. Graph breaks are not looked at: a record has no field for them.
"""

import os
import re

from tools.results import outcome_names, query, named_queries
from tools.results.errors import SURROUNDINGS, Problem, Stop
from tools.results.formats import document, registry

COLUMNS = ["name", "dtype", "expected", "got", "state", "case_name", "device", "started_utc"]
AS_EXPECTED, BETTER, WORSE, NOT_RUN = "as expected", "better", "worse", "not run"
# A column's condition on a run.
_CONDITIONS = {
    "accuracy": lambda dtype, autocast: True,
    **{
        name: lambda dtype, autocast, want=want: (dtype, autocast) == (want, None)
        for name, want in document.DTYPES.items()
    },
    **{
        name: lambda dtype, autocast, want=want: autocast == want for name, want in document.AUTOCASTS.items()
    },
}
_LAST = """{groups},
last AS (
  SELECT coalesce(c.model, c.case_name) AS name, c.dtype, c.autocast, c.case_mode, r.outcome, c.case_name, c.device,
    r.started_utc,
    row_number() OVER (PARTITION BY f.number, p.number ORDER BY r.started_utc DESC, r.id DESC) AS age
  FROM records r JOIN cases c ON c.id = r.case_id JOIN configuration f ON f.id = r.case_id
    JOIN place p ON p.id = r.machine_id WHERE r.outcome <> 'NOT_VERIFIED'{chosen})
SELECT name, dtype, autocast, case_mode, outcome, case_name, device, started_utc FROM last WHERE age = 1
ORDER BY case_name, device"""


def against(connection, path, shown, where):
    """Rows of COLUMNS, and problems of the list's lines."""
    columns, lines, problems = document.csv_rows(registry.text(path, shown))
    wanted = [name for name in columns if name in _CONDITIONS]
    if "name" not in columns or not wanted:
        raise Stop(
            SURROUNDINGS,
            "%s: not a list of expected accuracies; its first line is `name,accuracy,…` or `name,float32,…`, of %s"
            % (shown, ", ".join(_CONDITIONS)),
        )
    runs = _runs(connection, where, re.search("training|inference", os.path.basename(shown)))
    rows = []
    for number, line in lines:
        for column in wanted:
            want = outcome_names.from_name_in(outcome_names.TORCH_DYNAMO, line[column])
            if want:
                found = [run for run in runs.get(line["name"], ()) if _CONDITIONS[column](*run[:2])]
                rows += [_judged(line["name"], column, line[column], want, run) for run in found or [None]]
            elif line[column]:
                message = "%s %.40r is none of TorchDynamo's words" % (column, line[column])
                problems.append((number, Problem.MALFORMED, message))
    return rows, [Problem(shown, *problem) for problem in problems]


def _runs(connection, where, mode):
    """name -> [(dtype, autocast, outcome, ...)]"""
    chosen = " AND r.id IN (SELECT id FROM runs WHERE (%s\n))" % where if where else ""
    sql = _LAST.replace("{groups}", named_queries.GROUPS).replace("{chosen}", chosen).strip()
    runs = {}
    for name, dtype, autocast, case_mode, *run in query.rows(connection, sql)[1]:
        if not mode or case_mode == {"training": "TRAIN", "inference": "EVAL"}[mode[0]]:
            runs.setdefault(name, []).append((dtype, autocast, *run))
    return runs


def _judged(name, column, word, want, run):
    if run is None:
        return (name, column, word, None, NOT_RUN, None, None, None)
    _, _, outcome, *where = run
    state = AS_EXPECTED if outcome == want else BETTER if outcome == "PASS" else WORSE
    return (name, column, word, outcome_names.name_in(outcome_names.TORCH_DYNAMO, outcome), state, *where)
