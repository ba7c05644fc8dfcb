"""CSV of pytorch/pytorch benchmarks/dynamo --performance, and of Intel's XPU suite, which runs its scripts.

A row has neither suite, dtype nor mode: those are read from a file name as its runner gives,
{compiler}_{suite}_{dtype}_{mode}_{device}_{testing}.csv. Latency is the compiled model's median. A model that did not
run has speedup and latency 0, or a word in their place, such as infra_error, which becomes its error. A file that somebody joined
has the column `accuracy`, too: its rows have a verdict and a time.
"""

import csv
import io
import json
import math
import re

from tools.results import outcome_names
from tools.results.cells import csv_cell
from tools.results.formats import document as d

NAME = "dynamo_csv"
TWIN = "dynamo_accuracy_csv"  # whose rows are the verdicts of these
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
_COMPARED = ("FAIL_ACCURACY", "FAIL_SHAPE", "FAIL_DTYPE", "FAIL_NONFINITE", "NONDETERMINISTIC_BASELINE")
one_machine = d.case_and_device
group = d.each_row
LOSSES = {
    **d.LOSSES,
    **d.ONE_TIME,
    "samples": lambda r: any(m.get("samples_ns") for m in r.get("measurements", ())),
    "memory of the host": lambda r: any("peak_host_bytes" in m for m in r.get("measurements", ())),
    "dtype and mode (they belong into the file's name)": lambda r: True,
    "speedup, compilation and compression (empty: nothing was run beside the measured execution)": lambda r: True,
    "torch version, commit and machine": lambda r: r.get("environment"),
    "runs that were not timed (left out)": lambda r: not r.get("measurements") and not _did_not_run(r),
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


def record(rows, _head, source):
    row = rows[0][1]
    named = _FILE.search(source)
    named = named.groupdict() if named else {}
    training = named.get("mode") == "training"
    known = d.DEVICES.get(row["dev"])
    outcome, error = _outcome(row)
    latency, measurement = _number(row.get("abs_latency")), None
    if latency:
        # On a CPU it is psutil's percentage times all memory, 100 times too large.
        peak = _number(row.get("dynamo_peak_mem")) if known != "CPU" else None
        measurement = d.present(
            {
                "mode": "wall",
                "step": "train_step" if training else "forward",
                "median_ns": latency * 1e6,
                "stop_reason": "imported",
                "peak_device_bytes": str(round(peak * 1e9)) if peak and math.isfinite(peak) else None,
            }
        )
    compiler, autocast = named.get("compiler"), d.AUTOCASTS.get(named.get("dtype"))
    made = d.record(
        "/".join(filter(None, [row["name"], named.get("dtype"), named.get("mode"), row["dev"], compiler])),
        row["name"],
        int(_number(row["batch_size"]) or 0),
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


def _number(text):
    """None for a word and for an empty cell."""
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def _outcome(row):
    """The outcome, and the error's text."""
    for column in ("batch_size", "speedup", "abs_latency"):
        if row.get(column, "").strip() and _number(row[column]) is None:
            return _of_word(row[column], column)
    joined, latency = "accuracy" in row and "abs_latency" in row, _number(row.get("abs_latency"))
    outcome, error = "NOT_VERIFIED", None
    if "accuracy" in row and not (joined and latency is not None and not row["accuracy"].strip()):
        outcome, error = _of_word(row["accuracy"], "accuracy")
    zero = latency == 0 or latency is None and not joined and "accuracy" not in row
    if zero and outcome in ("PASS", "NOT_VERIFIED"):
        return "CRASH", "speedup and latency 0: the model did not run"
    return outcome, error


def _of_word(word, column):
    """The outcome and an error's text. A word that TorchDynamo does not have, or has for other columns, is a failure."""
    word = word.strip()
    outcome = outcome_names.from_name_in(outcome_names.TORCH_DYNAMO, word)
    if outcome is None or outcome == "PASS" and column != "accuracy":
        return "CRASH", "%s is %.80r" % (column, word)
    own_name = column == "accuracy" and outcome_names.name_in(outcome_names.TORCH_DYNAMO, outcome) == word
    return outcome, None if own_name else word


def first_cells(record_):
    """The first cells of its row, if it came in one of TorchDynamo's two formats; rows join by these."""
    imported = record_.get("imported", {})
    if imported.get("format") in (NAME, TWIN) and "fields" in imported:
        row = json.loads(imported["fields"])["rows"][0][1]
        return {column: row[column] for column in FIRST}
    case = record_["benchmark_case"]
    return {"dev": d.device(record_), "name": case["name"], "batch_size": case.get("batch", "0")}


def rows_of(record_):
    row, measurement = first_cells(record_), d.main_measurement(record_)
    if "median_ns" not in measurement:
        return [{**row, "batch_size": "0", "speedup": "0.0", "abs_latency": "0.0"}] if _did_not_run(record_) else []
    peak = measurement.get("peak_device_bytes")
    return [
        {
            **row,
            "abs_latency": repr(measurement["median_ns"] / 1e6),
            "dynamo_peak_mem": repr(int(peak) / 1e9) if peak else "",
        }
    ]


def _did_not_run(record_):
    """A run that was compared with its reference ran, whatever came of it."""
    return not d.untimed(record_) and record_["outcome"] not in _COMPARED


def render(parts, columns=PERFORMANCE):
    heads = [head["columns"] for head, _ in parts if head.get("columns")]
    columns = list(dict.fromkeys(name for names in heads for name in names)) if heads else columns
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(csv_cell, columns))
    for _, rows in parts:
        writer.writerows([csv_cell(row.get(name, "")) for name in columns] for row in rows)
    return text.getvalue()
