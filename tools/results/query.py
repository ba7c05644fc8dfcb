"""query: SQL, or a question by name, as a table, CSV or JSON.

    rows(connection, "select outcome, count(*) from runs group by 1")       # names of columns, iterator of tuples

Beside SQLite's own functions: samples_json(blob) for json_each(), of the column `nanoseconds` of the table `samples`; and
called_of(case_id), the settings in which the configurations of one case differ (differing.py).
"""

import csv
import difflib
import itertools
import json
import re
import sqlite3

from tools.artifacts.inventory.output import table
from tools.results import columns, database, differing
from tools.results.cells import csv_cell, in_units, table_cell
from tools.results.errors import USAGE, Stop
from tools.results.rows import samples_of

FORMATS = ("table", "csv", "json")
_TABLE_ROWS = 10000  # of one table: its columns are as wide as the widest cell


def rows(connection, sql, parameters=()):
    connection.create_function("samples_json", 1, lambda blob: json.dumps(samples_of(blob or b"")), deterministic=True)
    if differing.FUNCTION in sql:
        connection.create_function(differing.FUNCTION, 1, differing.of(connection).get, deterministic=True)
    try:
        cursor = connection.execute(sql, parameters)
        if cursor.description is None:
            raise Stop(USAGE, "query: nothing was asked")
        first = cursor.fetchmany(1)  # what fails at the first row is still the question's fault
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise Stop(USAGE, explained(connection, sql, str(error))) from None
    return [column[0] for column in cursor.description], itertools.chain(first, cursor)


def explained(connection, sql, message):
    """SQLite's message with the place in the SQL and a fix."""
    if re.search("not authorized|authorization denied|readonly|prohibited|cannot modify", message):
        return "query: refused: %s\nA query can only read; `import` is what changes the database." % sql
    near = re.match(r'near "(.*)": syntax error|unrecognized token: "(.*)"', message, re.S)
    if near:
        return _pointed(sql, _place(connection, sql, near.group(1) or near.group(2), message), message)
    name = re.match(r"no such (column|table): (?:\w+\.)?(\w+)", message)
    if name:
        text = _pointed(sql, max(sql.find(name.group(2)), 0), message)
        return text + _suggestion(connection, *name.groups())
    return "query: %s\n  %s" % (message, sql)


def _place(connection, sql, token, message):
    """The place at which SQLite stopped, among several places with the same token: the text up to there gives the same
    message."""
    places = [
        match.start()
        for match in re.finditer(
            r"(?<!\w)%s(?!\w)" % re.escape(token) if token[:1].isalnum() else re.escape(token), sql
        )
    ]
    for place in places:
        try:
            connection.execute("EXPLAIN " + sql[: place + len(token)])
        except sqlite3.Error as error:
            if str(error) == message:
                return place
    return places[-1] if places else 0


def _pointed(sql, place, message):
    start = sql.rfind("\n", 0, place) + 1
    end = sql.find("\n", place)
    line = sql[start : end if end >= 0 else None]
    number = sql.count("\n", 0, place) + 1
    return "query: %s, line %d, column %d\n  %s\n  %s^" % (
        message,
        number,
        place - start + 1,
        line,
        " " * (place - start),
    )


def _suggestion(connection, kind, name):
    if kind == "table":
        names = "runs results summary served suite_runs sources records measurements samples cases machines".split()
    else:
        names = ["partial", "source", "line", "measurement"] + columns.CASE_NAMES + columns.MACHINE_NAMES
        names += columns.RECORD_NAMES + database.RESULT_NAMES + database.SUMMARY_NAMES + columns.SERVED_NAMES
    close = difflib.get_close_matches(name, names, 3, 0.5)
    return "\n%s" % ("did you mean %s?" % " or ".join(close) if close else "%ss: %s" % (kind, ", ".join(names)))


def write(names, found, form, out, long=()):
    """A table leaves out the `long` columns."""
    if form == "csv":
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(map(csv_cell, names))
        writer.writerows(map(csv_cell, row) for row in found)
    elif form == "json":
        out.write("[")
        for place, row in enumerate(found):
            out.write("%s\n %s" % ("," if place else "", _json(dict(zip(names, row)))))
        out.write("\n]\n")
    else:
        kept = [place for place, name in enumerate(names) if name not in long]
        names, found = [names[place] for place in kept], ([row[place] for place in kept] for row in found)
        shown = [[table_cell(*cell) for cell in zip(row, names)] for row in itertools.islice(found, _TABLE_ROWS)]
        numbers = [all(_is_number(row[i]) for row in shown) for i in range(len(names))]
        titles = [name.rpartition("_")[0] if in_units(name) else name for name in names]  # each cell has its unit
        head = [(">" if number else "") + table_cell(title) for title, number in zip(titles, numbers)]
        for line in table(head, shown):
            out.write(line + "\n")
        more = sum(1 for _ in found)
        if more:
            out.write("and %d rows more; --format=csv or json has all of them\n" % more)


def _json(row):
    text = json.dumps(row, ensure_ascii=False, default=bytes.hex)
    return text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def _is_number(text):
    return re.fullmatch(r"|[-+.\de]+( [num]?s)?", text)
