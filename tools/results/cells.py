"""Cells: of tables for people, and of CSV that a spreadsheet may open. None holds a character that is not printed, such as
those that move a cursor or turn the direction of what follows; these stand as Python would write them.

    csv_cell("=1+1")      ->  "'=1+1", which no spreadsheet computes
    csv_cell("-1.5")      ->  "-1.5": numbers stay as they are
    table_cell(20460000000.0, "median_ns")  ->  "20.5 s"
"""

import re

from artifacts.fetch.redaction import printable

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def csv_cell(value):
    if isinstance(value, bytes):
        return value.hex()
    if not isinstance(value, str):
        return value
    text = printable(value)
    return "'" + text if text[:1] in ("=", "+", "-", "@") and not _NUMBER.fullmatch(text) else text


def in_units(column):
    return column.endswith("_ns") or column.endswith("_s") and not column.endswith("_per_s")


def _duration(ns):
    for unit, size in (("ns", 1), ("us", 1e3), ("ms", 1e6)):
        if abs(ns) < 999.5 * size:
            return "%.3g %s" % (ns / size, unit)
    return ("%.3g s" if abs(ns) < 999.5e9 else "%.0f s") % (ns / 1e9)


def table_cell(value, column=""):
    """A column's name says what is a duration."""
    if value is None:
        return ""
    if isinstance(value, (int, float)) and in_units(column):
        return _duration(value if column.endswith("_ns") else value * 1e9)
    if isinstance(value, float):
        return "%.6g" % value
    return value.hex() if isinstance(value, bytes) else printable(str(value))
