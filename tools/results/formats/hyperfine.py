"""JSON of hyperfine --export-json: `results`, an entry for each command with its times in seconds.

A run that ended with an exit code other than 0, which hyperfine times with --ignore-failure, is a failure of its command.
"""

from tools.results.formats import document as d

NAME = "hyperfine"
TITLE = "hyperfine: --export-json"
group = d.each_row


def misses(look):
    value = look.value
    if not isinstance(value, dict) or not isinstance(value.get("results"), list):
        return "not one JSON object with a list `results`"
    first = d.entries(value["results"])
    return "" if not value["results"] or "command" in first and "mean" in first else "its results have no `command` and `mean`"


def parse(text):
    return d.Document({}, list(enumerate(d.load(text)["results"], 1)), [])


def record(rows, _head, _source):
    row = rows[0][1]
    # With --command-name the parameters are not in the command.
    parameters = ["%s=%s" % item for item in (row.get("parameters") or {}).items()]
    name = str(row["command"]) + (" [%s]" % ", ".join(parameters) if parameters else "")
    times, codes = row.get("times") or [], row.get("exit_codes") or []
    memory = [m for m in row.get("memory_usage_byte") or [] if m]
    spent = [row[part] for part in ("user", "system") if row.get(part) is not None]
    measurement = d.measured(
        "wall",
        None,
        [1e9 * t for t in times],
        calls_per_sample="1",
        cpu_ns=1e9 * sum(spent) if spent else None,
        peak_host_bytes=str(max(memory)) if memory else None,
    )
    if not times:
        figures = {"median_ns": row.get("median", row["mean"]), "minimum_ns": row.get("min"), "mean_ns": row["mean"]}
        measurement.update({field: 1e9 * value for field, value in figures.items() if value is not None})
    failed = [code for code in codes if code != 0]
    error = "exit code %s in %d of %d runs" % (failed[0], len(failed), len(codes)) if failed else None
    return d.record(
        name,
        name,
        None,
        "CRASH" if failed else "NOT_VERIFIED",
        tags=d.tags(suite="hyperfine", backend="unknown"),  # a program of whatever kind, in no case eager PyTorch
        error=error,
        measurements=[measurement],
    )
