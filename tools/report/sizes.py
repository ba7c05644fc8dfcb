"""Runs whose sizes vary (--vary): a row for all calls of the mix, and one for each size.

    tables = sizes.tables(points, connection)           # [Table], or nothing where no run varies its sizes
    sizes.REPORT                                         # "sizes", the same as a report

They show the last run of each configuration on each machine.
"""

from tools.report.tables import Table
from tools.results import query

REPORT = "sizes"
NOTHING = "no run varies its sizes: give a case --vary=sequence_length=32,64"
_COLUMNS = ["Case", "Size", ">Weight", ">Calls", ">Median ms", ">p90 ms", ">Units/s", ">/ alone", ">First call ms", ">Made ms", ">Compiled", "State"]
_NOTE = (
    "/ alone: time of calls between those of other sizes, divided by the time of as many calls of the same size in a row; Made: the back end"
    " traced, compiled or loaded for this size; the row of all calls is of the mean call of a deck: its median and p90 are over decks"
)
_SQL = """SELECT id, coalesce(size, 'all, as dealt'), size_weight, samples * coalesce(calls_per_sample, 1), median_ns / 1e6, p90_ns / 1e6,
  1e9 * units_per_call / median_ns, size_ratio, first_call_ns / 1e6, 1e3 * made_s,
  coalesce(compilations, 0), CASE WHEN outcome = 'PASS' AND flagged IS NOT NULL THEN 'FLAGGED ' || flagged ELSE outcome END
FROM results WHERE size_weight > 0 ORDER BY id, size IS NOT NULL, alone_ns"""


def tables(points, connection):
    last = points.last_of_each(campaigns=False) if len(points) else points
    place_of = {record: i for i, record in enumerate(last.record.tolist())} if len(points) else {}
    found = [row for row in query.rows(connection, _SQL)[1] if row[0] in place_of]
    rows = [[last.on(place_of[row[0]], last.case_name(place_of[row[0]])), *row[1:]] for row in found]
    return [Table("Sizes that vary", _COLUMNS, rows, [_NOTE])] if rows else []


def of_report(points, connection):
    """Never empty."""
    return tables(points, connection) or [Table("Sizes that vary", _COLUMNS, [], [NOTHING])]
