"""The list that github-action-benchmark reads with `tool: customSmallerIsBetter`. For export only.

[{"name", "unit", "value", "range", "extra"}], after BenchmarkResult in src/extract.ts of benchmark-action/github-action-benchmark.
`range` is half the width of the median's 95 % interval.
"""

import json

from tools.results.formats import document as d
from tools.results.formats import trackers
from tools.results.formats.trackers import LOSSES, one_machine  # noqa: F401  (of the format)

NAME = "github_benchmark"
TITLE = "github-action-benchmark's customSmallerIsBetter, for export"


def _extra(record_, measurement):
    said = [record_["outcome"], d.machine(record_)]
    flagged = trackers.flagged(measurement)
    return "\n".join(filter(None, [*said, "FLAGGED: " + ", ".join(flagged) if flagged else ""]))


def rows_of(record_):
    rows = []
    for m in trackers.measured(record_):
        entry = {"name": trackers.name_of(record_, m), "unit": "ns", "value": m["median_ns"]}
        if m.get("ci_high_ns"):
            entry["range"] = "± %.6g" % ((m["ci_high_ns"] - m.get("ci_low_ns", 0)) / 2)
        rows.append(trackers.row(record_, m, {**entry, "extra": _extra(record_, m)}))
    return rows


def render(parts):
    return json.dumps(list(trackers.latest(parts, NAME).values()), indent=1, ensure_ascii=False) + "\n"
