"""JSON of Google Benchmark: a context, and an entry for each repetition and aggregate of each benchmark.

The entries of one run_name become one record: repetitions are its samples, aggregates stay in `imported.fields`. Of a file with
aggregates alone (--benchmark_report_aggregates_only) the median is the time, else the mean. What fits a family's times (BigO, RMS)
belongs to the family's last entry. Files of library 1.4 and older say neither run_type nor run_name: there the end of a name tells
an aggregate. A repetition that was skipped or failed is no sample. A counter that is NaN or infinite is kept as a text, since
JSON of a record has no such numbers, and goes out as it came. This suite's programs say in the context which GPU they measured on. A name that ends in one of this suite's modes, as its own programs write, is taken apart into
case, mode and step.
"""

import json
import math
import re

from tools.results.formats import document as d

NAME = "google_benchmark"
TITLE = "Google Benchmark: --benchmark_out_format=json"
_UNITS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
_OF_FAMILY = ("BigO", "RMS")
_AGGREGATE = re.compile(r"(?P<run>.+)_(?P<name>mean|median|stddev|cv|BigO|RMS)", re.S)
_TIMES = ("real_time", "iterations")  # what a row is nothing without
_TEXTS = ("name", "run_name", "run_type", "aggregate_name", "aggregate_unit", "label", "time_unit", "big_o", "error_message", "skip_message")
_MODES = ("wall", "throughput", "cold", "hot", "graph", "enqueue")
one_machine = d.whole_file
LOSSES = {
    **d.LOSSES,
    "samples (of them: the median as real_time)": lambda r: any(
        len(m.get("samples_ns", ())) > 1 for m in r.get("measurements", ())
    ),
    "torch version and commit": lambda r: r.get("environment"),
    "outcomes of runs that have times": lambda r: r["outcome"] not in ("PASS", "NOT_VERIFIED"),
    "runs that were not timed (left out)": d.untimed,
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
    rows = [(place, _with_texts(row)) for place, row in enumerate(value["benchmarks"], 1)]
    return d.Document({k: v for k, v in value.items() if k != "benchmarks"}, rows, [])


def _with_texts(row):
    """The row with counters that are NaN or infinite as texts: its times are good all the same."""
    if not isinstance(row, dict):
        return row
    odd = {k: v for k, v in row.items() if k not in _TIMES and isinstance(v, float) and not math.isfinite(v)}
    return {**row, **{k: json.dumps(v) for k, v in odd.items()}}


def _with_numbers(row):
    """The reverse."""
    odd = {k: v for k, v in row.items() if k not in _TEXTS and v in ("NaN", "Infinity", "-Infinity")}
    return {**row, **{k: float(v) for k, v in odd.items()}}


def group(document):
    old = _old_aggregates([row for _, row in document.rows if "run_type" not in row and "run_name" not in row])
    groups, last = {}, None
    for place, row in document.rows:
        run, aggregate = old.get(id(row), (row.get("run_name") or row.get("name"), row.get("aggregate_name")))
        if last is None or aggregate not in _OF_FAMILY:
            last = groups.setdefault(str(run), [])
        last.append((place, row))
    return list(groups.values())


def _old_aggregates(rows):
    """For rows that do not say what they are: id -> (the run's name, the aggregate's)."""
    iterations, found = {}, {}
    for row in rows:
        iterations.setdefault(str(row.get("name")), set()).add(str(row.get("iterations")))
    for row in rows:
        match = _AGGREGATE.fullmatch(str(row.get("name")))
        if match and _is_aggregate(row, *match.groups(), iterations):
            found[id(row)] = match.groups()
    return found


def _is_aggregate(row, run, name, iterations):
    """A benchmark may be called reduce_mean, beside one that is called reduce. An aggregate has its run's iterations, or none; and
    where runs are left out, a mean and a deviation stand together."""
    if name in _OF_FAMILY:
        return "rms" in row or "big_o" in row
    if run in iterations:
        return str(row.get("iterations")) in iterations[run] | {"0"}
    mean, deviation = (iterations.get(run + end, set()) for end in ("_mean", "_stddev"))
    return bool(mean and deviation & (mean | {"0"}))


def _said(rows):
    """(the run's name, runs, {name: aggregate}) of a group."""
    names = [str(row.get("name")) for _, row in rows if "run_type" not in row and "big_o" not in row and "rms" not in row]
    run = rows[0][1].get("run_name", rows[0][1]["name"])
    match = _AGGREGATE.fullmatch(str(run))
    if match and len(set(names)) > 1 and not any(name.startswith(run + "_") for name in names):
        run = match["run"]  # aggregates alone, of an old file
    runs, aggregates = [], {}
    for _, row in rows:
        match = _AGGREGATE.fullmatch(str(row.get("name")))
        old = "run_type" not in row and "run_name" not in row and row["name"] != run and match
        if old or row.get("run_type", "iteration") != "iteration":
            aggregates[row.get("aggregate_name") or (match and match["name"])] = row
        else:
            runs.append(row)
    return run, runs, aggregates


def record(rows, head, _source):
    context = head["context"]
    name, runs, aggregates = _said(rows)
    runs = runs or [aggregates[name] for name in ("median", "mean") if name in aggregates][:1]
    case, mode, step = _parted(name)
    good = [row for row in runs if not row.get("error_occurred") and not row.get("skipped")]
    times, cpu = (
        [row[name] * _UNITS[row.get("time_unit", "ns")] for row in good if row.get(name) not in (None, "NaN", "Infinity", "-Infinity")]
        for name in ("real_time", "cpu_time")
    )
    failed = next((row for row in runs if row.get("error_occurred")), None)
    skipped = next((row for row in runs if row.get("skipped")), None)
    outcome, error = "NOT_VERIFIED", None
    if failed:
        outcome, error = "CRASH", failed.get("error_message", "error_occurred")
    elif skipped and not good:
        outcome, error = "SKIPPED_DECLARED", skipped.get("skip_message", "skipped")
    started = d.seconds_of(context.get("date"))
    measurement = None
    if times:
        calls = str(good[0].get("iterations", 1))
        measurement = d.measured(mode, step, times, cpu_ns=cpu[0] if len(cpu) == 1 else None, calls_per_sample=calls)
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
        full = d.full_name(record_, m)
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
    if not rows and not d.untimed(record_):
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
        json.dumps({**head, "benchmarks": [_with_numbers(row) for _, rows in parts for row in rows]}, indent=2, ensure_ascii=False)
        + "\n"
    )
