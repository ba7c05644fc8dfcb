"""JSON lines of facebookresearch/param train/compute: a header, a line for each input, and what came after it.

Times are milliseconds, memory megabytes of 2^20 bytes. The lines between inputs (ncu_file, finish_time, trace_file)
belong to the record before them, the header to all. A name is operator/file of configurations/id/shapes.

PARAM checks no results. A line of this suite's //benchmarks/operators:param, and of an export, has a `verdict` beside the times.
"""

import os

from tools.results.formats import document as d
from tools.results.record import OUTCOMES

NAME = "param"
TITLE = "facebookresearch/param train/compute: benchmark_result_*.json"
_MODES = {"discrete": "wall", "continuous": "throughput", "continuous_events": "throughput"}
one_machine = d.whole_file
LOSSES = {
    **d.LOSSES,
    "modes but the main one": lambda r: len({m.get("mode") for m in r.get("measurements", ())}) > 1,
    "a configuration in its own terms (build and input are null)": lambda r: True,
    "dtype, batch and commit": lambda r: r.get("benchmark_case", {}).get("dtype"),
}


def misses(look):
    first = d.entries(look.value)
    if "run_options" in first and "sys_info" in first:
        return ""
    return (
        ""
        if "op_name" in first and "metric" in first
        else "its first line has neither run_options and sys_info nor op_name and metric"
    )


def parse(text):
    rows, problems = d.json_lines(text)
    first = d.entries([rows[0][1]]) if rows else {}
    return d.Document(first, rows[1:], problems) if "run_options" in first else d.Document({}, rows, problems)


def group(document):
    groups = []
    for place, row in document.rows:
        if "op_name" in row or not groups:
            groups.append([])
        groups[-1].append((place, row))
    return [rows for rows in groups if "op_name" in rows[0][1]]


def _shapes(value):
    """The shapes of all tensors in a configuration, in order."""
    if isinstance(value, dict) and isinstance(value.get("shape"), list):
        return ["x".join(map(str, value["shape"])) or "scalar"]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [shape for one in inner for shape in _shapes(one)]


def _name(row, options, source):
    """An id says only where in its file a configuration stands: of two files, 0|0|0 are two things."""
    words = [str(word) for word in options.get("cmd_args") or ()]
    given = (word for flag, word in zip(words, words[1:]) if flag in ("-c", "--config"))
    file = os.path.basename(str(options.get("config") or next(given, source)))
    return "/".join([row["op_name"], file, str(row.get("id")), *filter(None, [",".join(_shapes(row.get("config")))])])


def record(rows, head, source):
    row = rows[0][1]
    options, system = head.get("run_options", {}), head.get("sys_info", {})
    preset = str(options.get("op_exec_mode", "discrete")).rsplit(".", 1)[-1].lower()
    measurements = []
    for step, metric in (row["metric"] or {}).items():
        times = [1e6 * t for t in metric.get("measure.time") or ()]
        if times:
            peaks = [m for m in metric.get("measure.gpu.memory") or () if m]
            measurements.append(
                d.measured(
                    _MODES.get(preset, "wall"),
                    step,
                    times,
                    preset="param_" + preset,
                    peak_device_bytes=str(round(max(peaks) * 2**20)) if peaks else None,
                )
            )
    device = str(options.get("device", "")).split(":")[0]
    known = d.DEVICES.get(device)
    outcome, message = _outcome(row, measurements)
    started = d.seconds_of(head.get("start_time"))
    return d.record(
        _name(row, options, source),
        None,
        None,
        outcome,
        tags=d.tags(suite="param", op_name=row["op_name"], backend="eager", device=None if known else device),
        device=known,
        error=message,
        measurements=measurements,
        started_utc=d.utc(started) if started else None,
        environment=d.present(
            {
                "torch_version": system.get("pytorch_version"),
                "gpu_name": system.get("cuda_device_name"),
                "cuda_runtime": system.get("cuda"),
                "gpu_driver": system.get("cuda_device_driver"),
                "cudnn_version": str(system.get("cudnn") or ""),
            }
        ),
    )


def _outcome(row, measurements):
    """The outcome, and the error's text."""
    error, verdict = row.get("error"), row.get("verdict") or {}
    if error:
        outcome, message = error.get("class", "CRASH"), error.get("message")
        return (outcome, message) if outcome in OUTCOMES else ("CRASH", "%s: %s" % (outcome, message))
    outcome = verdict.get("outcome", "NOT_VERIFIED")
    if outcome not in OUTCOMES:
        return "CRASH", "verdict %.80r is none of this suite's" % (outcome,)
    if not measurements and not verdict:
        return "CRASH", "no times"
    return outcome, None if outcome == "PASS" else verdict.get("message")


def rows_of(record_):
    main = d.main_measurement(record_)
    metric = {}
    for m in record_.get("measurements", ()):
        if m.get("mode") == main.get("mode") and m.get("preset") == main.get("preset") and m.get("step") not in metric:
            peak = m.get("peak_device_bytes")
            metric[m.get("step", "forward")] = {
                "warmup.time": [],
                "warmup.gpu.memory": [],
                "measure.time": [t / 1e6 for t in d.samples_or_median(m)],
                "measure.gpu.memory": [int(peak) / 2**20] if peak else [],
            }
    row = {
        "op_name": record_["benchmark_case"]["name"],
        "id": "0|0|0",
        "metric": metric,
        "config": {"build": None, "input": None},
    }
    message = record_.get("error") or record_.get("verdict", {}).get("message")
    if not metric and not d.untimed(record_):
        row["error"] = {"class": record_["outcome"], "message": d.failure(record_)}
    else:
        row["verdict"] = d.present({"outcome": record_["outcome"], "message": message})
    return [row]


def context_of(record_):
    """The header of a file that has none of its own."""
    environment = record_.get("environment", {})
    system = {
        "pytorch_version": environment.get("torch_version"),
        "cuda_device_name": environment.get("gpu_name"),
        "cuda": environment.get("cuda_runtime"),
        "cuda_device_driver": environment.get("gpu_driver"),
        "cudnn": environment.get("cudnn_version"),
    }
    return {"run_options": {"device": d.device(record_)}, "sys_info": d.present(system)}


def render(parts):
    lines, before = [], {}
    for head, rows in parts:
        if head and head != before:
            lines.append(head)
            before = head
        lines += rows
    return "".join(d.dump(line) + "\n" for line in lines)
