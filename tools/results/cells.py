"""Cells: of tables for people, and of CSV that a spreadsheet may open. None holds a character that is not printed, such as
those that move a cursor or turn the direction of what follows; these stand as Python would write them.

    csv_cell("=1+1")      ->  "'=1+1", which no spreadsheet computes
    csv_cell("-1.5")      ->  "-1.5": numbers stay as they are
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


def table_cell(value):
    if value is None:
        return ""
    if isinstance(value, float):
        return "%.6g" % value
    return value.hex() if isinstance(value, bytes) else printable(str(value))
