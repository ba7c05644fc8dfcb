"""The CSV that pytorch/xla's result_analyzer.py makes of its results.jsonl: metric_report.csv. For export only.

compile time = max(total_time) - median(total_time); -1 = not available. min, median and max are of all repeats, mean
and std (of the population, as NumPy's) of all but the first.
"""

import csv
import io
import statistics

from tools.results.cells import csv_cell
from tools.results.formats import document as d
from tools.results.formats import xla_jsonl

NAME = "csv"
TITLE = "the columns of pytorch/xla's result_analyzer.py, for export"
COLUMNS = [
    "timestamp",
    "suite_name",
    "model_name",
    "accelerator",
    "accelerator_model",
    "xla",
    "xla_flags",
    "dynamo",
    "torch_xla2",
    "test",
    "batch_size",
    "repeat",
    "iterations_per_run",
    "error_message",
    "median_total_time",
    "median_per_iter_time",
    "xla_median_trace_per_iter_time",
    "xla_compile_time",
    "dynamo_compile_time",
    "outputs_file",
]
LOSSES = {
    **xla_jsonl.LOSSES,
    "samples": lambda r: any(m.get("samples_ns") for m in r.get("measurements", ())),
    "the verdict": lambda r: True,
}
_WHOLE = (("min", min), ("median", statistics.median), ("max", max))
_BUT_FIRST = (("mean", statistics.fmean), ("std", statistics.pstdev))


def rows_of(record_):
    fields = record_.get("imported", {})
    sources = (
        [row for _, row in d.load(fields["fields"])["rows"]]
        if fields.get("format") == xla_jsonl.NAME and "fields" in fields
        else xla_jsonl.rows_of(record_)
    )
    return [_row(source) for source in sources]


def _row(source):
    experiment, metrics = source["experiment"], source["metrics"]
    row = {
        "timestamp": source.get("timestamp"),
        **source["model"],
        **experiment,
        "repeat": source.get("repeat"),
        "iterations_per_run": source.get("iterations_per_run"),
        "error_message": metrics.get("error"),
        "outputs_file": source.get("outputs_file"),
    }
    lists = {
        name: values
        for name, values in metrics.items()
        if isinstance(values, list) and values and all(isinstance(v, (int, float)) for v in values)
    }
    for name, values in lists.items():
        row.update({"%s_%s" % (label, name): function(values) for label, function in _WHOLE})
        if len(values) > 1:
            row.update({"%s_%s" % (label, name): function(values[1:]) for label, function in _BUT_FIRST})
    total = lists.get("total_time")
    compiled = max(total) - statistics.median(total) if total else -1
    traced = lists.get("trace_per_iter_time")
    row["xla_median_trace_per_iter_time"] = statistics.median(traced) if traced and experiment.get("xla") else -1
    row["xla_compile_time"] = compiled if experiment.get("xla") else -1
    row["dynamo_compile_time"] = compiled if experiment.get("dynamo") else -1
    return row


def render(parts):
    rows = [row for _, made in parts for row in made]
    columns = COLUMNS + sorted({name for row in rows for name in row} - set(COLUMNS))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(csv_cell, columns))
    writer.writerows([csv_cell(row.get(name, "")) for name in columns] for row in rows)
    return text.getvalue()
