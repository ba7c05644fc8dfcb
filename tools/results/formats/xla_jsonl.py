"""results.jsonl of pytorch/xla benchmarks, of both generations: one line for each model and experiment.

A run whose times are null has failed, without a word why. A sample is per_iter_time, so a mode is "wall" with one iteration
a run and "throughput" with more. As in its own report, the median is of all repeats, the first of which compiles.
"""

import statistics

from tools.results import outcome_names
from tools.results.formats import document as d

NAME = "xla_jsonl"
TITLE = "pytorch/xla benchmarks: results.jsonl"
group = d.each_row
_EXPERIMENT = (
    "accelerator",
    "accelerator_model",
    "xla",
    "xla_flags",
    "dynamo",
    "torch_xla2",
    "test",
    "batch_size",
    "enable_functionalization",
)
LOSSES = {**d.LOSSES, **d.ONE_TIME, "dtype": lambda r: r.get("benchmark_case", {}).get("dtype")}


def misses(look):
    first = d.entries(look.value)
    absent = [name for name in ("model", "experiment", "metrics") if not isinstance(first.get(name), dict)]
    return "no object %s in its first line" % ", ".join("`%s`" % name for name in absent) if absent else ""


def parse(text):
    rows, problems = d.json_lines(text)
    return d.Document({}, d.with_good_metrics(rows), problems)


def record(rows, _head, _source):
    row = rows[0][1]
    model, experiment, metrics = row["model"], row["experiment"], row["metrics"]
    backend = "+".join(str(experiment[k]) for k in ("dynamo", "xla") if experiment.get(k)) or "eager"
    accelerator = experiment.get("accelerator")
    batch, test = experiment.get("batch_size"), experiment.get("test")
    name = "%s/%s/%s/%s" % (model["model_name"], test, accelerator, backend) + ("/b%s" % batch if batch else "")
    outcome, error = _outcome(row)
    known = d.DEVICES.get(accelerator)
    step = "train_step" if test == "train" else "forward"
    times = [] if _failed(metrics) else [1e9 * t for t in metrics.get("per_iter_time", ())]
    calls = row.get("iterations_per_run") or 1
    traced = metrics.get("trace_per_iter_time")
    measurement = (
        d.measured(
            "wall" if calls == 1 else "throughput",
            step,
            times,
            calls_per_sample=str(calls),
            first_call_ns=times[0] if times and calls == 1 else None,
            enqueue_ns=1e9 * statistics.median(traced) if traced and None not in traced else None,
        )
        if times
        else None
    )
    return d.record(
        name,
        model["model_name"],
        batch,
        outcome,
        mode="TRAIN" if test == "train" else "EVAL",
        tags=d.tags(suite=model.get("suite_name"), backend=backend, device=None if known else accelerator),
        device=known,
        error=error,
        measurements=[measurement] if measurement else None,
        environment=d.present({"gpu_name" if known == "CUDA" else "cpu_model": experiment.get("accelerator_model")}),
        started_utc=d.utc(float(row["timestamp"])) if row.get("timestamp") else None,
    )


def _failed(metrics):
    times = metrics.get("per_iter_time", metrics.get("total_time", ()))
    return times is None or None in times


def _outcome(row):
    """The outcome, and the error's text."""
    error = row["metrics"].get("error")
    code = row.get("verification_code")
    outcome = "NOT_VERIFIED"
    if code is not None:
        outcome = outcome_names.from_name_in(outcome_names.PYTORCH_XLA, code) or outcome_names.from_name_in(outcome_names.PYTORCH_XLA_2024, code)
        if outcome is None:
            return "CRASH", "verification_code %.80r is none of pytorch/xla's" % code
    if error is None and _failed(row["metrics"]):
        return "CRASH", "times are null: the run failed"
    if error is None:
        # The timing was not left out; only the verification was.
        return ("NOT_VERIFIED" if outcome == "SKIPPED_DECLARED" and row["metrics"] else outcome), None
    # Whatever the code says: for a run that failed it is a default.
    return ("SKIPPED_DECLARED" if error == "SKIP" else d.outcome_of_error(str(error))), str(error)


def rows_of(record_):
    case, measurement = record_["benchmark_case"], d.main_measurement(record_)
    calls = int(measurement.get("calls_per_sample", 1))
    per_iteration = [t / 1e9 for t in d.samples_or_median(measurement)]
    backend = d.tag(record_, "backend", "eager")
    experiment = dict.fromkeys(_EXPERIMENT)
    experiment.update(
        accelerator=d.device(record_),
        accelerator_model=d.device_model(record_),
        test="train" if d.training(record_) else "eval",
        dynamo=None if backend == "eager" else backend,
        batch_size=int(case.get("batch", 0)) or None,
    )
    metrics = {"total_time": [t * calls for t in per_iteration], "per_iter_time": per_iteration}
    if d.untimed(record_):
        metrics = {}
    elif not per_iteration:
        metrics = {"error": "SKIP" if record_["outcome"] == "SKIPPED_DECLARED" else d.failure(record_)}
    return [
        {
            "model": {"suite_name": d.tag(record_, "suite", "assay"), "model_name": case.get("model") or case["name"]},
            "experiment": experiment,
            "repeat": len(per_iteration),
            "iterations_per_run": calls,
            "metrics": metrics,
            "timestamp": d.seconds_of(record_.get("started_utc")),
            "verification_code": outcome_names.name_in(outcome_names.PYTORCH_XLA, record_["outcome"]),
        }
    ]


def render(parts):
    return "".join(d.dump(row) + "\n" for _, rows in parts for row in rows)
