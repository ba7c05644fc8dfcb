"""Replays of execution traces (//tools/trace replay): what was called again and compared, where the recorded time went, and which
operators take longer than the machine's peaks allow.

    tables = traces.tables(points, connection)           # [Table], or nothing where no run replays a trace
    traces.REPORT                                        # "traces", the same as a report

They show the last run of each configuration on each machine. Records imported with --samples=no have columns alone, and nothing of
a trace.
"""

from tools.report.tables import Table
from tools.results import query, stored

REPORT = "traces"
NOTHING = "no run replays an execution trace, or it was imported with --samples=no: tools/bazel run //tools/trace -- replay FILE --record=FILE"
_LONG = ("Lost",)
_COLUMNS = ["Case", ">Operators", ">Covered %", ">Of time %", ">Calls", ">Results", ">Equal", ">Near"]
_COLUMNS += [">Idle %", ">Dispatch %", ">Short %", ">Overlap %", ">Engine %", *_LONG, "State"]
_WORK = ["Operator", ">Calls", ">Time ms", ">Share %", ">GFLOP/s", ">GB/s", ">Of the roof %", ">Above the roof ms"]
_NOTES = [
    "Covered: operators that the replay calls again; Results have the trace's shape, dtype, strides and memory; Equal: their digest is the"
    " recorded one; Near: recorded elements are within the limits of their dtype",
    "shares are of the recorded time. Idle: no operator runs; Dispatch: operators that leave their work to others; Short: operators under"
    " 10 us, limited by the call; Overlap: two threads or more run operators; Engine: autograd's",
]
_ROOF = (
    "the roof: the least time that the peaks allow; the operators with the most time above it come first. Peaks are of the machine that"
    " replayed, times of the one that captured the trace: compare them only where it is one machine"
)
_NO_ROOF = "a replay with --peaks adds how near each operator comes to the machine's peaks"


def tables(points, connection):
    runs = _runs(points, connection)
    rows = [_row(name, record) for name, record in runs]
    made = [Table("Replays of traces", _COLUMNS, rows, _NOTES, {}, None, _LONG)] if rows else []
    return made + [_work(name, record) for name, record in runs if record["trace_replay"].get("work")]


def of_report(points, connection):
    """Never empty."""
    return tables(points, connection) or [Table("Replays of traces", _COLUMNS, [], [NOTHING])]


def _runs(points, connection):
    """[(name, record)] of the last runs that have a trace. The name tells configurations and machines apart."""
    last = points.last_of_each(campaigns=False) if len(points) else points
    place_of = {record: i for i, record in enumerate(last.record.tolist())} if len(points) else {}
    found = query.rows(connection, "SELECT id FROM runs WHERE label = '//tools/trace'")[1]
    wanted = sorted(place_of.keys() & {row[0] for row in found})
    if not wanted:
        return []
    chosen = stored.Stored(connection, "id IN (%s)" % ", ".join(map(str, wanted)), samples=False)
    names = [last.on(place_of[one], last.case_name(place_of[one])) for one in wanted]
    return [(name, record) for name, record in zip(names, chosen.records()) if "trace_replay" in record]


def _whole(replay, name):
    return int(replay.get(name, 0))


def _percent(part, whole):
    return 100 * part / whole if whole else None


def _row(name, record):
    replay = record["trace_replay"]
    operators, covered, span, ns = (_whole(replay, name) for name in ("operators", "covered", "span_ns", "operators_ns"))
    compared = "equal_results" in replay or "near_results" in replay
    shares = (span - _whole(replay, "busy_ns"), *(_whole(replay, name) for name in ("dispatch_ns", "short_ns", "overlap_ns", "engine_ns")))
    lost = "; ".join("%s (%d): %s" % (one.get("name", ""), _whole(one, "calls"), one.get("reason", "")) for one in replay.get("lost", ()))
    return [
        name,
        operators,
        _percent(covered, operators),
        _percent(ns - _whole(replay, "lost_ns"), ns),
        _whole(replay, "calls"),
        _whole(replay, "results"),
        _whole(replay, "equal_results") if compared else None,
        _whole(replay, "near_results") if compared else None,
        *(_percent(share, span) for share in shares),
        lost,
        record["outcome"],
    ]


def _peaks(record):
    """(operations, bytes) a second, or 0."""
    best = {"compute": 0, "memory": 0}
    for peak in record.get("peaks", ()):
        name = peak.get("name")
        name = "memory" if name in ("stream", "read") else name
        if name == "memory" or (name == "compute" and peak.get("dtype") == "FP32"):
            best[name] = max(best[name], peak.get("per_s", 0))
    return best["compute"], best["memory"]


def _work(name, record):
    replay = record["trace_replay"]
    compute, memory = _peaks(record)
    rows = []
    for one in replay["work"]:
        ns, flops, moved = _whole(one, "ns"), one.get("flops", 0), one.get("bytes", 0)
        least = 1e9 * max(flops / compute if compute else 0, moved / memory if memory else 0)
        rows.append(
            [
                one.get("name", ""),
                _whole(one, "calls"),
                ns / 1e6,
                _percent(ns, _whole(replay, "span_ns")),
                flops / ns if flops and ns else None,
                moved / ns if moved and ns else None,
                _percent(least, ns) if least else None,
                (ns - least) / 1e6 if least else None,
            ]
        )
    title = "Operators of the trace %s" % name
    if not (compute or memory):
        return Table(title, _WORK[:-2], [row[:-2] for row in rows], [_NO_ROOF])
    return Table(title, _WORK, sorted(rows, key=lambda row: -(row[-1] or 0)), [_ROOF])
