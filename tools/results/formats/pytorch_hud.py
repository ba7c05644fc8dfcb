"""PyTorch's benchmark database (HUD), v3: JSON entries of one metric each, as a list or one on a line.

Entries that differ in nothing but the metric become one record. Read as figures are this suite's own `latency_ns` and
Dynamo's `abs_latency` (ms) and `accuracy`, a word in extra_info; other metrics stay in `imported.fields`. On export
`latency_ns` has all samples, with mode and step in its extra_info; the database keeps 24 bits of each.
"""

import json

from tools.results import outcome_names
from tools.results.formats import document as d

NAME = "pytorch_hud"
TITLE = "PyTorch's benchmark database: v3 JSON"
LOSSES = {
    "checks": d.LOSSES["checks"],
    "errors of the outputs (rms_error, max_error)": d.LOSSES["errors of the outputs (rms_error, max_error)"],
    "flags, machine facts and environment variables": d.LOSSES["flags, machine facts and environment variables"],
}
_LATENCIES = {"latency_ns": 1.0, "abs_latency": 1e6}


def misses(look):
    first = d.entries(look.value)
    absent = [
        name
        for name in ("benchmark", "model", "metric")
        if not isinstance(first.get(name), (dict, str) if name == "model" else dict)
    ]
    return "no %s in its first entry" % ", ".join("`%s`" % name for name in absent) if absent else ""


def parse(text):
    """Places are numbers of entries: one list, one entry, or either of them on each line."""
    rows, problems = d.json_lines(text)
    values = [entry for _, value in rows for entry in (value if isinstance(value, list) else [value])]
    rows = []
    for place, value in enumerate(values, 1):
        if (
            isinstance(value, dict)
            and all(isinstance(value.get(name), dict) for name in ("benchmark", "metric"))
            and value.get("model")
            and _readable(value["metric"])
        ):
            rows.append((place, value))
        else:
            message = "entry %d has no benchmark, model and metric with a name and numbers" % place
            problems.append((place, "malformed", message))
    return d.Document({}, rows, problems)


def _readable(metric):
    values = metric.get("benchmark_values") or []
    return (
        isinstance(metric.get("name"), str)
        and isinstance(values, list)
        and (metric["name"] not in _LATENCIES or all(isinstance(value, (int, float)) for value in values))
    )


def group(document):
    groups = {}
    for place, row in document.rows:
        rest = json.dumps({k: v for k, v in row.items() if k != "metric"}, sort_keys=True)
        groups.setdefault(rest, []).append((place, row))
    return list(groups.values())


def record(rows, _head, _source):
    row = rows[0][1]
    benchmark, model = row["benchmark"], row["model"] if isinstance(row["model"], dict) else {"name": row["model"]}
    extra = benchmark.get("extra_info") or {}
    runner = (row.get("runners") or [{}])[0]
    training = benchmark.get("mode") == "training"
    outcome, measurements, error = "NOT_VERIFIED", [], None
    for _, entry in rows:
        metric, about = entry["metric"], entry["metric"].get("extra_info") or {}
        if metric["name"] == "accuracy":
            word = (about.get("benchmark_values") or [""])[0]
            found = outcome_names.from_name_in(outcome_names.TORCH_DYNAMO, word)
            if word and not found:  # a word that nobody knows is no success
                outcome, error = "CRASH", "accuracy is %.80r" % word
            outcome = found or outcome
        elif metric["name"] in _LATENCIES and any(isinstance(v, str) for v in metric.get("benchmark_values") or ()):
            outcome, error = "CRASH", "%s is %.80r" % (metric["name"], metric["benchmark_values"][0])
        elif metric["name"] in _LATENCIES and any(metric.get("benchmark_values") or ()):
            times = [_LATENCIES[metric["name"]] * v for v in metric["benchmark_values"]]
            measurements.append(
                d.measured(about.get("mode", "wall"), about.get("step", "train_step" if training else "forward"), times)
            )
    device = str(extra.get("device") or runner.get("type") or "")
    known = d.DEVICES.get(device)
    backend, batch = model.get("backend"), extra.get("batch_size")
    moment = row.get("timestamp")
    return d.record(
        "/".join(
            str(x)
            for x in (
                model["name"],
                benchmark.get("name"),
                benchmark.get("mode"),
                benchmark.get("dtype"),
                backend,
                device,
            )
            if x
        ),
        model["name"],
        int(batch) if str(batch or "").isdigit() else None,
        outcome,
        dtype=d.DTYPES.get(benchmark.get("dtype")),
        mode=("TRAIN" if training else "EVAL") if benchmark.get("mode") else None,
        tags=d.tags(
            suite=(model.get("origins") or [None])[0] or benchmark.get("name"),
            backend=backend,
            device=None if known else device,
        ),
        device=known,
        error=error,
        measurements=measurements,
        started_utc=d.utc(moment / (1000 if moment > 1e11 else 1)) if moment else None,
        environment=d.present(
            {
                "gpu_name": runner.get("gpu_info"),
                "cpu_model": runner.get("cpu_info"),
                "cpu_count": runner.get("cpu_count"),
                "git_commit": row.get("head_sha"),
                "torch_version": ((row.get("dependencies") or {}).get("pytorch") or {}).get("version"),
            }
        ),
    )


def rows_of(record_):
    case, environment = record_["benchmark_case"], record_.get("environment", {})
    execution = {k: str(v).lower() for k, v in case.get("execution", {}).items()}
    moment = d.seconds_of(record_.get("started_utc"))
    common = d.present(
        {
            "timestamp": int(moment) if moment else None,
            "schema_version": "v3",
            "name": case["name"],
            "head_sha": environment.get("git_commit"),
            "runners": [
                d.present(
                    {
                        "type": d.device(record_),
                        "cpu_info": environment.get("cpu_model"),
                        "cpu_count": environment.get("cpu_count"),
                        "gpu_info": environment.get("gpu_name"),
                        "gpu_count": 1 if environment.get("gpu_name") else None,
                    }
                )
            ],
            "dependencies": {"pytorch": {"repo": "pytorch/pytorch", "version": environment["torch_version"]}}
            if "torch_version" in environment
            else None,
        }
    )
    common["benchmark"] = {
        "name": "assay",
        "mode": "training" if d.training(record_) else "inference",
        "dtype": case.get("dtype", "").lower(),
        "extra_info": {"device": d.device(record_), "batch_size": case.get("batch", ""), **execution},
    }
    common["model"] = {
        "name": case.get("model") or case["name"],
        "type": "OSS model",
        "backend": d.tag(record_, "backend", "eager"),
        "origins": [d.tag(record_, "suite", "assay")],
    }
    accuracy = {
        "name": "accuracy",
        "extra_info": {"benchmark_values": [outcome_names.name_in(outcome_names.TORCH_DYNAMO, record_["outcome"])]},
    }
    rows = [] if record_["outcome"] == "NOT_VERIFIED" else [{**common, "metric": accuracy}]
    for m in record_.get("measurements", ()):
        about = {"mode": m.get("mode", ""), "step": m.get("step", "")}
        rows.append(
            {
                **common,
                "metric": {"name": "latency_ns", "benchmark_values": d.samples_or_median(m), "extra_info": about},
            }
        )
        for name in ("peak_device_bytes", "peak_host_bytes", "flops_per_call", "bytes_per_call", "operators_per_call", "units_per_call"):
            if name in m:
                rows.append(
                    {**common, "metric": {"name": name, "benchmark_values": [float(m[name])], "extra_info": about}}
                )
    return rows


def render(parts):
    return "[\n%s\n]\n" % ",\n".join(d.dump(row) for _, rows in parts for row in rows)
