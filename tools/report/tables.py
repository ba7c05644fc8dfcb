"""A report's table, and how it is written: for people, as CSV, JSON or Markdown.

    tables.write([table], "markdown", out, err)

Numbers in CSV and JSON are whole; a cell that is not known is empty, null, or in the table for people a dash. Formats that have no
place for notes give them to `err`.
"""

import csv
import json
import math
from typing import NamedTuple

from artifacts.fetch.redaction import printable
from artifacts.fetch.secret_texts import clean_text
from tools.artifacts.inventory.output import table as aligned
from tools.results.cells import csv_cell

FORMATS = ("table", "csv", "json", "markdown")
_LONGEST = 80  # characters of a name in a table


class Table(NamedTuple):
    title: str
    columns: list  # names; one that begins with ">" holds numbers
    rows: list
    notes: list = []  # sentences
    left_out: dict = {}  # reason -> number of runs that no mean has
    picture: object = None  # pictures.Picture of the same figures, where there is one
    long: tuple = ()  # columns of sentences, which only CSV and JSON have


def about_left_out(left_out, unverified):
    """The sentence that says how many runs no mean has, and why."""
    if not left_out:
        return "left out of every mean: none"
    return "left out of every mean: %d of the runs %s" % (sum(left_out.values()), reasons(left_out, unverified))


def reasons(left_out, unverified=False):
    """"(3 NOT_VERIFIED)", and what lets those in."""
    counted = ", ".join("%d %s" % (number, reason) for reason, number in sorted(left_out.items()))
    hint = "" if unverified or "NOT_VERIFIED" not in left_out else "; --unverified lets those in that nobody verified"
    if any(reason.startswith("FLAGGED") for reason in left_out):
        hint += "; on a quiet machine run_suite --retry-flagged measures those again that are FLAGGED"
    return "(%s)%s" % (counted, hint)


def _without_secrets(table):
    rows = [[clean_text(cell) if isinstance(cell, str) else cell for cell in row] for row in table.rows]
    return table._replace(title=clean_text(table.title), rows=rows, notes=[clean_text(note) for note in table.notes])


def without_long(table):
    kept = [place for place, column in enumerate(table.columns) if column not in table.long]
    return table._replace(columns=[table.columns[i] for i in kept], rows=[[row[i] for i in kept] for row in table.rows])


def names(table):
    return [column.lstrip(">") for column in table.columns]


def write(tables, form, out, err):
    tables = [_without_secrets(table) for table in tables]
    if form == "json":
        parts = [
            {
                "title": t.title,
                "columns": names(t),
                "rows": [[None if _unknown(cell) else cell for cell in row] for row in t.rows],
                "notes": t.notes,
                "left_out": t.left_out,
            }
            for t in tables
        ]
        out.write(json.dumps({"schema_version": 1, "tables": parts}, indent=1) + "\n")  # all in ASCII
        return
    if form == "csv":
        first, *others = tables
        _csv(first, out)
        left = ["CSV holds one table; --format=json has %s (%d rows), too" % (t.title, len(t.rows)) for t in others if t.rows]
        err.write("".join("note  %s\n" % printable(note) for note in first.notes + left))
        return
    for place, table in enumerate(map(without_long, tables)):
        if place:
            out.write("\n")
        _markdown(table, out) if form == "markdown" else _text(table, out)


def _csv(table, out):
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(csv_cell, names(table)))
    writer.writerows(["" if _unknown(cell) else csv_cell(cell) for cell in row] for row in table.rows)


def _text(table, out):
    out.write(printable(table.title) + "\n")
    rows = [[_shown(cell) for cell in row] for row in table.rows]
    for line in aligned([printable(column) for column in table.columns], rows):
        out.write(line + "\n")
    out.write("".join("note  %s\n" % printable(note) for note in table.notes))


def _markdown(table, out):
    out.write("### %s\n\n" % _plain(table.title))
    out.write("| %s |\n" % " | ".join(_plain(name) for name in names(table)))
    out.write("|%s\n" % "".join("---:|" if column.startswith(">") else "---|" for column in table.columns))
    for row in table.rows:
        out.write("| %s |\n" % " | ".join(_plain(_shown(cell)) for cell in row))
    out.write("".join("\n%s\n" % _plain(note) for note in table.notes))


def _unknown(cell):
    return cell is None or isinstance(cell, float) and not math.isfinite(cell)


def _shown(cell):
    if _unknown(cell):
        return "-"
    if isinstance(cell, float):
        return "%.4g" % cell
    text = printable(str(cell))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _plain(text):
    """Text that Markdown shows as it is: no tag, link, emphasis or cell comes of it."""
    return "".join("\\" + c if c in "\\`*_[]<>|&#~!" else c for c in printable(text))
