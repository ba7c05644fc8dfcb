"""CSV of pytorch/pytorch benchmarks/dynamo --performance, and of Intel's XPU suite, which runs its scripts.

A row has neither suite, dtype nor mode: those are read from a file name as its runner gives,
{compiler}_{suite}_{dtype}_{mode}_{device}_{testing}.csv. Latency is the compiled model's median. A model that did not
run has speedup and latency 0.
"""

import csv
import io
import re

from tools.results import outcome_names
from tools.results.cells import csv_cell
from tools.results.formats import document as d

NAME = "dynamo_csv"
TITLE = "pytorch/pytorch benchmarks/dynamo: CSV of --performance"
FIRST = ["dev", "name", "batch_size"]
PERFORMANCE = FIRST + [
    "speedup",
    "abs_latency",
    "compilation_latency",
    "compression_ratio",
    "eager_peak_mem",
    "dynamo_peak_mem",
]
_FILE = re.compile(
    r"(?P<compiler>.+?)[_-](?P<suite>torchbench|huggingface|timm_models|timm)[_-](?P<dtype>\w+?)[_-]"
    r"(?P<mode>training|inference|inference-with-freezing)[_-](?P<device>\w+)[_-](?P<testing>performance|accuracy)"
)
_NUMBERS = PERFORMANCE[3:]
one_machine = d.case_and_device
LOSSES = {
    **d.LOSSES,
    **d.ONE_TIME,
    "samples": lambda r: any(m.get("samples_ns") for m in r.get("measurements", ())),
    "memory of the host": lambda r: any("peak_host_bytes" in m for m in r.get("measurements", ())),
    "dtype and mode (they belong into the file's name)": lambda r: True,
    "speedup, compilation and compression (empty: nothing was run beside the measured execution)": lambda r: True,
    "torch version, commit and machine": lambda r: r.get("environment"),
    "runs that were not timed (left out)": d.untimed,
}


def misses(look, wanted="abs_latency"):
    return _absent(look.first_line.strip().split(","), [*FIRST, wanted])


def _absent(names, wanted):
    absent = [name for name in wanted if name not in names]
    return (
        "its first line does not name the column%s %s" % ("s" * (len(absent) > 1), ", ".join(absent)) if absent else ""
    )


def parse(text):
    names, rows, problems = d.csv_rows(text)
    if _absent(names, FIRST):
        raise ValueError(_absent(names, FIRST))
    return d.Document({"columns": names}, rows, problems)


def group(document):
    return [[row] for row in document.rows]


def record(rows, _head, source):
    row = rows[0][1]
    named = _FILE.search(source)
    named = named.groupdict() if named else {}
    numbers = {name: float(row[name]) for name in _NUMBERS if row.get(name)}
    training = named.get("mode") == "training"
    known = d.DEVICES.get(row["dev"])
    batch = int(float(row["batch_size"] or 0))
    error, measurement = None, None
    if "accuracy" in row:
        outcome = outcome_names.from_name_in(outcome_names.TORCH_DYNAMO, row["accuracy"])
        if outcome is None:
            raise ValueError("accuracy %r is none of TorchDynamo's words" % row["accuracy"])
    else:
        outcome = "NOT_VERIFIED"
        latency = numbers.get("abs_latency", 0.0)
        if latency == 0:
            outcome, error = "CRASH", "speedup and latency 0: the model did not run"
        else:
            # On a CPU it is psutil's percentage times all memory, 100 times too large.
            peak = numbers.get("dynamo_peak_mem") if known != "CPU" else None
            measurement = d.present(
                {
                    "mode": "wall",
                    "step": "train_step" if training else "forward",
                    "median_ns": latency * 1e6,
                    "stop_reason": "imported",
                    "peak_device_bytes": str(round(peak * 1e9)) if peak else None,
                }
            )
    compiler, autocast = named.get("compiler"), d.AUTOCASTS.get(named.get("dtype"))
    made = d.record(
        "/".join(filter(None, [row["name"], named.get("dtype"), named.get("mode"), row["dev"], compiler])),
        row["name"],
        batch,
        outcome,
        dtype="FP32" if autocast else d.DTYPES.get(named.get("dtype")),
        mode=("TRAIN" if training else "EVAL") if named else None,
        tags=d.tags(suite=named.get("suite", "torchdynamo"), backend=compiler or "compiled", device=None if known else row["dev"]),
        device=known,
        error=error,
        measurements=[measurement] if measurement else None,
    )
    if autocast:
        made["benchmark_case"]["execution"] = {"autocast": autocast}
    return made


def first_cells(record_):
    case = record_["benchmark_case"]
    return {"dev": d.device(record_), "name": case["name"], "batch_size": case.get("batch", "0")}


def rows_of(record_):
    row, measurement = first_cells(record_), d.main_measurement(record_)
    if d.untimed(record_):
        return []
    if "median_ns" not in measurement:
        return [{**row, "batch_size": "0", "speedup": "0.0", "abs_latency": "0.0"}]
    peak = measurement.get("peak_device_bytes")
    return [
        {
            **row,
            "abs_latency": repr(measurement["median_ns"] / 1e6),
            "dynamo_peak_mem": repr(int(peak) / 1e9) if peak else "",
        }
    ]


def render(parts, columns=PERFORMANCE):
    heads = [head["columns"] for head, _ in parts if head.get("columns")]
    columns = list(dict.fromkeys(name for names in heads for name in names)) if heads else columns
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(csv_cell, columns))
    for _, rows in parts:
        writer.writerows([csv_cell(row.get(name, "")) for name in columns] for row in rows)
    return text.getvalue()
