"""Prints records as a text table, JSON or CSV; the last two have every field in full.

    output.write(records, "csv", ("key", "size"), sys.stdout, text=lambda records: ["%d rows" % len(records)])
"""

import csv
import json

FORMATS = ("text", "json", "csv")


def write(records, form, columns, out, text):
    """Records are dicts. `columns`: their fields, for CSV; `text(records)`: the lines for people."""
    if form == "json":
        json.dump(records, out, indent=1, ensure_ascii=False)
        out.write("\n")
    elif form == "csv":
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        for record in records:
            writer.writerow([_cell(record[column]) for column in columns])
    else:
        for line in text(records):
            out.write(line + "\n")


def _cell(value):
    return " ".join(map(str, value)) if isinstance(value, (list, tuple)) else value


def table(head, rows):
    """Lines of a table; columns as wide as needed, numbers' columns to the right where the head begins with '>'."""
    names = [name.lstrip(">") for name in head]
    widths = [max(len(str(row[i])) for row in [names] + rows) for i in range(len(names))]
    lines = []
    for row in [names] + rows:
        cells = [str(c).rjust(w) if h.startswith(">") else str(c).ljust(w) for c, w, h in zip(row, widths, head)]
        lines.append("  ".join(cells).rstrip())
    return lines
