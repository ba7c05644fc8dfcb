"""JSON of Google Benchmark: a context, and an entry for each repetition and aggregate of each benchmark.

The entries of one run_name become one record: repetitions are its samples, aggregates stay in `imported.fields`. Of a file with
aggregates alone (--benchmark_report_aggregates_only) the median is the time, else the mean. What fits a family's times (BigO, RMS)
belongs to the family's last entry. This suite's programs say in the context which GPU they measured on. A name that ends in one of this suite's modes, as its own programs write, is taken apart into
case, mode and step.
"""

import json

from tools.results.formats import document as d

NAME = "google_benchmark"
TITLE = "Google Benchmark: --benchmark_out_format=json"
_UNITS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
_OF_FAMILY = ("BigO", "RMS")
_MODES = ("wall", "throughput", "cold", "hot", "graph", "enqueue")
one_machine = d.whole_file
LOSSES = {
    **d.LOSSES,
    "samples (of them: the median as real_time)": lambda r: any(
        len(m.get("samples_ns", ())) > 1 for m in r.get("measurements", ())
    ),
    "torch version and commit": lambda r: r.get("environment"),
    "outcomes of runs that have times": lambda r: r["outcome"] not in ("PASS", "NOT_VERIFIED"),
}


def misses(look):
    value = look.value
    if not isinstance(value, dict) or not isinstance(value.get("benchmarks"), list):
        return "not one JSON object with a list `benchmarks`"
    if not isinstance(value.get("context"), dict):
        return "no object `context`"
    return (
        "" if not value["benchmarks"] or "name" in d.entries(value["benchmarks"]) else "its benchmarks have no `name`"
    )


def parse(text):
    value = d.load(text)
    return d.Document(
        {k: v for k, v in value.items() if k != "benchmarks"}, list(enumerate(value["benchmarks"], 1)), []
    )


def group(document):
    groups, last = {}, None
    for place, row in document.rows:
        if last is None or row.get("aggregate_name") not in _OF_FAMILY:
            last = groups.setdefault(str(row.get("run_name") or row.get("name")), [])
        last.append((place, row))
    return list(groups.values())


def record(rows, head, _source):
    context = head["context"]
    runs = [row for _, row in rows if row.get("run_type", "iteration") == "iteration"]
    aggregates = {row.get("aggregate_name"): row for _, row in rows}
    runs = runs or [aggregates[name] for name in ("median", "mean") if name in aggregates][:1]
    name = rows[0][1].get("run_name", rows[0][1]["name"])
    case, mode, step = _parted(name)
    times, cpu = (
        [
            row[name] * _UNITS[row.get("time_unit", "ns")]
            for row in runs
            if row.get(name) is not None and not row.get("error_occurred")
        ]
        for name in ("real_time", "cpu_time")
    )
    failed = next((row for row in runs if row.get("error_occurred")), None)
    skipped = next((row for row in runs if row.get("skipped")), None)
    outcome, error = "NOT_VERIFIED", None
    if failed:
        outcome, error = "CRASH", failed.get("error_message", "error_occurred")
    elif skipped:
        outcome, error = "SKIPPED_DECLARED", skipped.get("skip_message", "skipped")
    started = d.seconds_of(context.get("date"))
    measurement = (
        d.measured(
            mode,
            step,
            times,
            cpu_ns=cpu[0] if len(cpu) == 1 else None,
            calls_per_sample=str(runs[0].get("iterations", 1)),
        )
        if times
        else None
    )
    return d.record(
        case,
        case,
        None,
        outcome,
        tags=d.tags(suite="google_benchmark", backend="unknown"),  # a program of whatever kind, in no case eager PyTorch
        error=error,
        measurements=[measurement] if measurement else None,
        started_utc=d.utc(started) if started else None,
        device=d.DEVICES.get(context.get("device")),
        environment=d.present(
            {"cpu_count": context.get("num_cpus"), **{name: context.get(name) for name in ("cpu_model", "gpu_name", "gpu_driver")}}
        ),
    )


def _parted(name):
    parts = name.split("/")
    for place in (-1, -2):
        if len(parts) >= 1 - place and parts[place] in _MODES:
            return "/".join(parts[:place]), parts[place], parts[-1] if place == -2 else "forward"
    return name, "wall", None


def rows_of(record_):
    rows = []
    name = record_["benchmark_case"]["name"]
    for m in record_.get("measurements", ()):
        full = "%s/%s" % (name, m.get("mode")) + ("" if m.get("step", "forward") == "forward" else "/" + m["step"])
        row = {
            "name": full,
            "run_name": full,
            "run_type": "iteration",
            "repetitions": 1,
            "repetition_index": 0,
            "threads": 1,
            "iterations": len(m.get("samples_ns", ())) or 1,
            "real_time": m["median_ns"],
            "cpu_time": m.get("cpu_ns", 0.0),
            "time_unit": "ns",
        }
        if m.get("units_per_call") and m["median_ns"]:
            row["%ss/s" % m["unit"]] = 1e9 * m["units_per_call"] / m["median_ns"]
        if m.get("flops_per_call") and m["median_ns"]:
            row["GFLOP/s"] = m["flops_per_call"] / m["median_ns"]
        rows.append(row)
    if not rows:
        failed = (
            {"skipped": True, "skip_message": d.failure(record_)}
            if record_["outcome"] == "SKIPPED_DECLARED"
            else {"error_occurred": True, "error_message": d.failure(record_)}
        )
        rows = [
            {
                "name": name,
                "run_name": name,
                "run_type": "iteration",
                "repetitions": 1,
                "repetition_index": 0,
                "threads": 1,
                **failed,
            }
        ]
    return rows


def context_of(record_):
    """For a file without one of its own: what the first record says."""
    environment = record_.get("environment", {})
    return {
        "context": d.present(
            {
                "date": record_.get("started_utc"),
                "host_name": "",
                "executable": "",
                "num_cpus": environment.get("cpu_count"),
                "device": d.device(record_),
                "cpu_model": environment.get("cpu_model"),
                "gpu_name": environment.get("gpu_name"),
                "gpu_driver": environment.get("gpu_driver"),
                "library_build_type": "release",
                "json_schema_version": 1,
            }
        )
    }


def render(parts):
    head = next((head for head, _ in parts if head), {"context": {}})
    return (
        json.dumps({**head, "benchmarks": [row for _, rows in parts for row in rows]}, indent=2, ensure_ascii=False)
        + "\n"
    )
