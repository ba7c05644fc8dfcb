"""Bencher Metric Format, which `bencher run --adapter json --file FILE` reads. For export only.

{benchmark: {measure: {"value", "lower_value", "upper_value"}}}, after https://bencher.dev/docs/reference/bencher-metric-format
(schema bmf.json). The measure `latency` is in nanoseconds, `throughput` in operations a second, as that service has them: the
median and its 95 % interval. `instructions` are those of a call, where they were counted.
"""

import json

from tools.results.formats import trackers
from tools.results.formats.trackers import LOSSES, one_machine  # noqa: F401  (of the format)

NAME = "bencher"
TITLE = "Bencher Metric Format, for export"


def _metric(value, low, high):
    metric = {"value": value, "lower_value": low, "upper_value": high}
    return {name: figure for name, figure in metric.items() if figure is not None}


def rows_of(record_):
    rows = []
    for m in trackers.measured(record_):
        times = [m["median_ns"], m.get("ci_low_ns"), m.get("ci_high_ns")]
        entry = {"latency": _metric(*times)}
        if m.get("units_per_call"):
            value, high, low = [1e9 * m["units_per_call"] / ns if ns else None for ns in times]
            entry["throughput"] = _metric(value, low, high)
        if m.get("instructions_per_call"):
            entry["instructions"] = {"value": m["instructions_per_call"]}
        rows.append(trackers.row(record_, m, entry))
    return rows


def render(parts):
    return json.dumps(trackers.latest(parts, NAME), indent=1, ensure_ascii=False) + "\n"
