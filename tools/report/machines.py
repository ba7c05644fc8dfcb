"""The machines that a report's runs are of: whether they are alike, and which of them is slow at what others have run too.

    table = machines.table(points, connection, unverified=False)

It is what `tools:results -- query machines` says, of these runs.
"""

import json

import numpy as np

from tools.report.tables import Table
from tools.results import named_queries, query

_COLUMNS = ["Node", "CPU", ">CPUs", "GPU", "Kernel", "Governor", ">Medians", ">Flagged", ">Shared", ">Slower"]
_KIND = 4  # columns that say which machine it is; the others may change on one
_NOTE = (
    "Slower: the geometric mean, over the Shared medians of configurations that other machines have run too, of the time here over"
    " that in the mean of all; 1.1 is a tenth slower"
)


def table(points, connection, unverified):
    chosen = [np.unique(part).tolist() for part in (points.case, points.machine)]
    chosen.append(["PASS", *(["NOT_VERIFIED"] if unverified else [])])
    _, rows = query.rows(connection, named_queries.MACHINES_OF.sql, [json.dumps(part) for part in chosen])
    return Table("Machines", _COLUMNS, [list(row) for row in rows], [_NOTE], points.left_out())


def if_several(points, connection, unverified):
    """[table], or nothing where all runs are of one machine."""
    if len(np.unique(points.machine)) < 2:
        return []
    found = table(points, connection, unverified)
    return [found] if len({tuple(row[:_KIND]) for row in found.rows}) > 1 else []
