"""Results of openxla-benchmark: one JSON object with `benchmarks`: definitions with metrics of a level, or an error."""

import json
import statistics

from tools.results import outcome_names
from tools.results.formats import document as d

NAME = "openxla_json"
TITLE = "openxla-benchmark: results JSON"
_DEVICES = {
    "a2-highgpu-1g": "CUDA",
    "host-gpu": "CUDA",
    "host-cpu": "CPU",
    "c2-standard-16": "CPU",
    "c2-standard-60": "CPU",
}
_LEVELS = ("framework_level", "compiler_level")
one_machine = d.case_and_device
group = d.each_row
LOSSES = {
    **d.LOSSES,
    **d.ONE_TIME,
    "samples (of them: least, most, mean, median, deviation)": lambda r: any(
        m.get("samples_ns") for m in r.get("measurements", ())
    ),
    "machine, torch version and commit": lambda r: r.get("environment"),
    "runs that were not timed (left out)": d.untimed,
}


def misses(look):
    value = look.value
    if not isinstance(value, dict) or not isinstance(value.get("benchmarks"), list):
        return "not one JSON object with a list `benchmarks`"
    if not value["benchmarks"]:
        return (
            ""
            if "execution_environment" in value or "trigger" in value
            else "`benchmarks` is empty, and there is no `trigger`"
        )
    return (
        ""
        if isinstance(d.entries(value["benchmarks"]).get("definition"), dict)
        else "its benchmarks have no `definition`"
    )


def parse(text):
    value = d.load(text)
    head = {k: v for k, v in value.items() if k != "benchmarks"}
    return d.Document(head, d.with_good_metrics(list(enumerate(value["benchmarks"], 1))), [])


def record(rows, head, _source):
    row = rows[0][1]
    definition, metrics = row["definition"], row.get("metrics", {})
    level = next((metrics[name] for name in _LEVELS if name in metrics), metrics)
    known = _DEVICES.get(definition["device"])
    error = level.get("error")
    timed = level.get("median_latency_ms") is not None
    outcome = outcome_names.from_name_in(outcome_names.OPENXLA, "metrics" if timed and not error else "error")
    if error:
        outcome = d.outcome_of_error(error)
    measurement = None
    if timed:
        peak = level.get("device_memory_peak_mb")
        measurement = d.present(
            {
                "mode": "wall",
                "step": "forward",
                "stop_reason": "imported",
                "calls_per_sample": "1",
                "median_ns": level["median_latency_ms"] * 1e6,
                "minimum_ns": _ns(level, "min_latency_ms"),
                "mean_ns": _ns(level, "mean_latency_ms"),
                "first_call_ns": _ns(level, "compile_time_ms"),
                "warmup_calls": str(level["warmup_iterations"]) if level.get("warmup_iterations") else None,
                "peak_device_bytes": str(round(peak * 2**20)) if peak else None,
            }
        )
    batch = definition.get("batch_size")
    moment = str(head.get("trigger", {}).get("timestamp", ""))
    return d.record(
        "%s/%s/%s" % (definition["benchmark_name"], definition.get("compiler"), definition["device"]),
        definition["benchmark_name"].split("/")[1]
        if "/" in definition["benchmark_name"]
        else definition["benchmark_name"],
        batch,
        outcome,
        dtype=d.DTYPES.get(definition.get("data_type")),
        mode="EVAL",
        tags=d.tags(
            suite="openxla",
            framework=definition.get("framework"),
            backend=definition.get("compiler"),
            device=None if known else definition["device"],
        ),
        device=known,
        error=error or (None if timed else "median_latency_ms is no number" if level else "no metrics"),
        measurements=[measurement] if measurement else None,
        started_utc=d.utc(d.seconds_of(moment)) if d.seconds_of(moment) else None,
        # A target is a kind of machine, but for the host that it happens to run on.
        environment={"gpu_name" if known == "CUDA" else "cpu_model": definition["device"]}
        if known and not definition["device"].startswith("host-")
        else None,
    )


def _ns(level, name):
    return level[name] * 1e6 if level.get(name) is not None else None


def rows_of(record_):
    case, measurement = record_["benchmark_case"], d.main_measurement(record_)
    samples = [t / 1e6 for t in d.samples_or_median(measurement)]
    if d.untimed(record_):
        return []
    host = {"cpu": "host-cpu", "cuda": "host-gpu"}
    level = {"error": d.failure(record_)}
    if samples and outcome_names.name_in(outcome_names.OPENXLA, record_["outcome"]) == "metrics":
        level = {
            "min_latency_ms": measurement.get("minimum_ns", measurement["median_ns"]) / 1e6,
            "max_latency_ms": max(samples),
            "mean_latency_ms": measurement.get("mean_ns", measurement["median_ns"]) / 1e6,
            "median_latency_ms": measurement["median_ns"] / 1e6,
            "stddev_latency_ms": statistics.stdev(samples) if len(samples) > 1 else None,
            "warmup_iterations": int(measurement.get("warmup_calls", 0)),
            "benchmark_iterations": len(samples),
            "compile_time_ms": measurement["first_call_ns"] / 1e6 if "first_call_ns" in measurement else None,
        }
        if "peak_device_bytes" in measurement:
            level["device_memory_peak_mb"] = int(measurement["peak_device_bytes"]) / 2**20
    elif samples:
        level = {"error": record_["outcome"]}  # as there: a failed comparison takes the place of the metrics
    definition = {
        "benchmark_name": case["name"],
        "framework": d.tag(record_, "framework", "pytorch"),
        "data_type": case.get("dtype", "").lower(),
        "batch_size": int(case.get("batch", 0)),
        "compiler": d.tag(record_, "backend", "eager"),
        "device": host.get(d.device(record_), d.device(record_)),
        "tags": case.get("tags", []),
    }
    return [{"definition": definition, "metrics": {"framework_level": level}}]


def render(parts):
    head = next((head for head, _ in parts if head), {})
    return (
        json.dumps({**head, "benchmarks": [row for _, rows in parts for row in rows]}, indent=2, ensure_ascii=False)
        + "\n"
    )
