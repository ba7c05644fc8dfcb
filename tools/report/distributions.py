"""How the samples of runs are spread: of each configuration the last two runs, laid over each other.

    tables = distributions.samples(points, connection)

Percentiles are NumPy's, linear, of all samples that the database has; 1 and 99 stand only where 100 samples give them. A run that no
mean has is here, too, with the reason. Of pytorch/xla's files the first three samples are left out, as in its times.
"""

import numpy as np

from tools.report import pictures
from tools.report.points import USABLE, XLA_SKIPPED, by_ids
from tools.report.tables import Table
from tools.results import rows
from tools.results.errors import USAGE, Stop

_RUNS = 2  # of each configuration
_MOST_DRAWN = 12
_FEWEST_FOR_TAILS = 100
_MOST_POINTS = 500  # of a run, in a picture


def last_runs(points, count=_RUNS):
    """Indices: of each workload, back end and machine the last runs, newest first."""
    order = np.lexsort((points.record, points.seconds, points.campaign, points.place, points.backend, points.workload))
    found, seen = [], {}
    for i in order[::-1]:
        key = (points.workload[i], points.backend[i], points.place[i])
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= count and points.measurement[i] >= 0:
            found.append(int(i))
    return found[::-1]


def samples_of(connection, points, chosen):
    """Pairs (index, array in nanoseconds, sorted) of the points with these indices that have samples."""
    formats = "SELECT id FROM records WHERE imported_format = 'xla_jsonl' AND id IN (%s)"
    warming = {record for (record,) in by_ids(connection, formats, points.record[chosen].tolist())}
    of = {int(points.measurement[i]): int(i) for i in chosen if points.measurement[i] >= 0}
    blobs = "SELECT measurement, nanoseconds FROM samples WHERE measurement IN (%s)"
    for measurement, blob in by_ids(connection, blobs, list(of)):
        values, i = rows.samples_of(blob), of[measurement]
        skipped = XLA_SKIPPED if int(points.record[i]) in warming and len(values) > XLA_SKIPPED else 0
        yield i, np.sort(values[skipped:])


def samples(points, connection, drawn):
    """[Table]; `drawn`: it is to be a picture, of which Stop is raised for too many runs."""
    chosen = last_runs(points)
    of = dict(samples_of(connection, points, chosen))
    chosen = [i for i in chosen if i in of]
    if drawn and len(chosen) > _MOST_DRAWN:
        raise Stop(
            USAGE,
            "--report=samples: %d runs do not fit into a picture of at most %d; choose with -k, -x, --dtype"
            % (len(chosen), _MOST_DRAWN),
        )
    cells, series = [], []
    for i in chosen:
        w, values = points.workloads[points.workload[i]], of[i]
        campaign = points.campaigns[points.campaign[i]]
        tails = len(values) >= _FEWEST_FOR_TAILS
        low, p10, middle, p90, high = np.percentile(values, [1, 10, 50, 90, 99]).tolist()
        state = points.reasons[points.reason[i]]
        named = [points.places[points.place[i]], w.suite, points.case_name(i), points.backends[points.backend[i]]]
        figures = [
            len(values),
            float(values[0]),
            low if tails else None,
            p10,
            middle,
            p90,
            high if tails else None,
            float(values[-1]),
        ]
        cells.append([*named, campaign.moment, campaign.commit[:8], *figures, "yes" if state == USABLE else "no: " + state])
        some = values[np.linspace(0, len(values) - 1, min(len(values), _MOST_POINTS)).round().astype(int)]
        name = points.on(i, " ".join([*named[2:], campaign.moment[:19]]))
        series.append(pictures.Series(name, [name] * len(some), (some / 1e6).tolist()))
    columns = [
        "Machine",
        "Suite",
        "Case",
        "Backend",
        "Campaign",
        "Commit",
        ">Samples",
        ">Min ns",
        ">p1 ns",
        ">p10 ns",
        ">Median ns",
    ]
    columns += [">p90 ns", ">p99 ns", ">Max ns", "In means"]
    notes = [] if cells else ["no run has samples: they were imported with --samples=no, or their file has none"]
    picture = pictures.Picture("Samples of the last runs", "run", "ms", "samples", series)
    return [Table("Samples", columns, cells, notes, points.left_out(), picture)]
