"""Wall times as CodSpeed's own integrations write them into $CODSPEED_PROFILE_FOLDER/results/PID.json. For export only.

After core/src/walltime.cpp of CodSpeedHQ/codspeed-cpp and walltime_results.rs of CodSpeedHQ/runner: times of one call in
nanoseconds, `total_time` in seconds, quartiles and outliers of the samples. A round is a sample. The service publishes no schema.
"""

import json
import statistics

from tools.results.formats import trackers
from tools.results.formats.trackers import one_machine  # noqa: F401  (of the format)

NAME = "codspeed"
TITLE = "wall times for CodSpeed, for export"
LOSSES = {**trackers.LOSSES, "times without samples (left out)": lambda r: any(not m.get("samples_ns") for m in trackers.measured(r))}
_CONFIG = ("warmup_time_ns", "min_round_time_ns", "max_time_ns", "max_rounds")


def _stats(measurement):
    samples, calls = sorted(measurement["samples_ns"]), int(measurement.get("calls_per_sample", 1))
    # Like CodSpeed: a quartile between two samples is interpolated.
    q1, median, q3 = statistics.quantiles(samples, n=4, method="inclusive") if len(samples) > 1 else samples * 3
    mean, deviation, beyond = statistics.fmean(samples), statistics.stdev(samples) if len(samples) > 1 else 0.0, 1.5 * (q3 - q1)
    return {
        "min_ns": samples[0],
        "max_ns": samples[-1],
        "mean_ns": mean,
        "stdev_ns": deviation,
        "q1_ns": q1,
        "median_ns": median,
        "q3_ns": q3,
        "rounds": len(samples),
        "total_time": sum(samples) * calls / 1e9,
        "iqr_outlier_rounds": sum(not q1 - beyond <= one <= q3 + beyond for one in samples),
        "stdev_outlier_rounds": sum(abs(one - mean) > 3 * deviation for one in samples),
        "iter_per_round": calls,
        "warmup_iters": int(measurement.get("warmup_calls", 0)),
    }


def rows_of(record_):
    label = record_["benchmark_case"].get("label") or record_["benchmark_case"]["name"]
    rows = []
    for m in trackers.measured(record_):
        if m.get("samples_ns"):
            name = trackers.name_of(record_, m)
            entry = {"name": name, "uri": "%s::%s" % (label, name), "config": dict.fromkeys(_CONFIG), "stats": _stats(m)}
            rows.append(trackers.row(record_, m, entry))
    return rows


def render(parts):
    document = {
        "creator": {"name": "assay", "version": "1", "pid": 0},
        "instrument": {"type": "walltime"},
        "benchmarks": list(trackers.latest(parts, NAME).values()),
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
