"""Tokens a second of generation cases, as llama-bench prints them: a row for the prompt (pp), new tokens (tg), and both.

    tables = language.if_any(points, connection, mode)       # [Table], or nothing where no run generates

It is what `tools:results -- query tokens` says, of these runs: of each configuration and machine the last one. docs/measures.md says
what each row is of.
"""

import json

import numpy as np

from tools.report.tables import Table
from tools.results import named_queries, query

REPORT = "tokens"
_COLUMNS = ["Model", ">Parameters", ">Size", "Dtype", ">Batch", "Lowering", "Backend", "Called", "Machine", "Test", ">t/s", ">± s", "State"]
_WHERE_SEVERAL = ("Lowering", "Backend", "Called", "Machine")  # left out where all rows have the same
_NOTES = [
    "t/s: tokens a second by the median call, of all rows of a batch; ± s: the standard deviation of the samples",
    "pp: a prompt into an empty cache; tg: one new token of each row at a time, with all before it in the cache; pp+tg: both, one after"
    " the other",
]
_THOUSAND, _WHOLE_FROM = 1000.0, 1000


def table(points, connection, mode=""):
    last = points.last_of_each(campaigns=False) if len(points) else points
    chosen = json.dumps(np.unique(last.record).tolist())
    names, rows = query.rows(connection, named_queries.TOKENS_OF.sql, [chosen, mode])
    found = [dict(zip(names, row)) for row in rows]
    columns, cells = _without_equal(_COLUMNS, [_row(one) for one in found])
    return Table("Tokens a second", columns, cells, _NOTES if cells else ["no run generates tokens"], points.left_out())


def if_any(points, connection, mode=""):
    found = table(points, connection, mode)
    return [found._replace(left_out={})] if found.rows else []


def _row(one):
    return [
        one["model"],
        _scaled(one["parameters"], _THOUSAND, ("", " K", " M", " B")),
        _scaled(one["bytes"], 1024.0, (" B", " KiB", " MiB", " GiB")),
        one["dtype"],
        one["batch"],
        one["lowering"] or "",
        one["backend"],
        one["called"] or "",
        one["machine"] or "",
        one["test"],
        _rate(one["tokens_per_s"]),
        _rate(one["deviation_per_s"]),
        one["state"],
    ]


def _without_equal(columns, cells):
    kept = [
        i
        for i, column in enumerate(columns)
        if column not in _WHERE_SEVERAL or len({row[i] for row in cells}) > 1
    ]
    return [columns[i] for i in kept], [[row[i] for i in kept] for row in cells]


def _rate(value):
    """Four digits, without an exponent."""
    return round(value) if value is not None and value >= _WHOLE_FROM else value


def _scaled(value, step, units):
    if not value:
        return None
    value, place = float(value), 0
    while value >= step and place + 1 < len(units):
        value, place = value / step, place + 1
    return ("%d%s" if place == 0 else "%.4g%s") % (value, units[place])
