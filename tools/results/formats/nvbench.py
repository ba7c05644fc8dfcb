"""JSON of NVIDIA's nvbench, --json: `devices`, and for each of `benchmarks` its `states`, one for each point of the axes.

Isolated measurements are this suite's mode cold, batches its mode hot, both by the GPU's timer; without a GPU the time is wall. The
median is the time where the library has one (since 2025), else the mean. Samples, which lie in files beside this one, are not read.
"""

from tools.results.formats import document as d

NAME = "nvbench"
TITLE = "NVIDIA nvbench: --json"
group = d.each_row
_MODES = {"cold": "nv/cold/time/gpu/", "hot": "nv/batch/time/gpu/", "wall": "nv/cpu_only/time/cpu/"}
_FIGURES = {"mean": "mean_ns", "median": "median_ns", "min": "minimum_ns"}
_RATES = {"cold": "nv/cold/bw/item_rate", "wall": "nv/cpu_only/bw/item_rate"}


def misses(look):
    value = look.value if isinstance(look.value, dict) else {}
    if not isinstance(value.get("benchmarks"), list) or not isinstance(value.get("devices"), list):
        return "no lists `devices` and `benchmarks`"
    return "" if not value["benchmarks"] or "states" in d.entries(value["benchmarks"]) else "its benchmarks have no `states`"


def parse(text):
    value = d.load(text)
    rows = [{"benchmark": one["name"], "state": state} for one in value["benchmarks"] for state in one.get("states") or ()]
    return d.Document({k: v for k, v in value.items() if k != "benchmarks"}, list(enumerate(rows, 1)), [])


def _summaries(state):
    """{tag: number} of those that have one."""
    found = {}
    for summary in state.get("summaries") or ():
        for one in summary.get("data") or ():
            if one.get("name") == "value" and one.get("type") in ("float64", "int64"):
                found[summary.get("tag") or summary.get("name")] = float(one["value"])
    return found


def _measurement(mode, numbers):
    figures = {field: numbers.get(_MODES[mode] + figure) for figure, field in _FIGURES.items()}
    time = figures["median_ns"] or figures["mean_ns"]
    if not time:
        return None
    rate = numbers.get(_RATES.get(mode))
    return d.present(
        {
            "mode": mode,
            "step": "forward",
            "stop_reason": "imported",
            **{field: 1e9 * value for field, value in {**figures, "median_ns": time}.items() if value is not None},
            "unit": "item" if rate else None,
            "units_per_call": rate * time if rate else None,
        }
    )


def record(rows, head, _source):
    row = rows[0][1]
    state, numbers = row["state"], _summaries(row["state"])
    made = [measurement for measurement in (_measurement(mode, numbers) for mode in _MODES) if measurement]
    device = next((one for one in head["devices"] if one.get("id") == state.get("device")), None)
    axes = ["%s=%s" % (axis["name"], axis["value"]) for axis in state.get("axis_values") or ()]
    outcome, error = ("NOT_VERIFIED", None) if made else ("CRASH", "no times")
    if state.get("is_skipped"):
        error = str(state.get("skip_reason") or "skipped")
        outcome = d.outcome_of_error(error) if "error" in error.lower() or "exception" in error.lower() else "SKIPPED_DECLARED"
    name = "/".join([row["benchmark"], *axes])
    return d.record(
        name,
        name,
        None,
        outcome,
        tags=d.tags(suite="nvbench", backend="unknown"),
        device="CUDA" if device else "CPU",
        error=error,
        measurements=made,
        environment=d.present({"gpu_name": (device or {}).get("name"), "gpu_memory_bytes": _text(device, "global_memory_size")}),
    )


def _text(device, name):
    return str(device[name]) if device and device.get(name) else None
