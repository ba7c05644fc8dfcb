"""CSV of pytorch/pytorch benchmarks/dynamo --accuracy; dynamo_csv.py has what both kinds of files share."""

from tools.results import outcome_names
from tools.results.formats import document as d
from tools.results.formats import dynamo_csv

NAME, TWIN = dynamo_csv.TWIN, dynamo_csv.NAME
TITLE = "the same: CSV of --accuracy"
one_machine = d.case_and_device
LOSSES = {
    **d.LOSSES,
    "times and memory": lambda r: r.get("measurements"),
    "runs that were not verified (left out)": lambda r: r["outcome"] == "NOT_VERIFIED",
}

parse, group, record = dynamo_csv.parse, dynamo_csv.group, dynamo_csv.record


def misses(look):
    if not dynamo_csv.misses(look):
        return "it has times, too: dynamo_csv takes verdicts and times"
    return dynamo_csv.misses(look, "accuracy")


def rows_of(record_):
    if record_["outcome"] == "NOT_VERIFIED":
        return []
    return [{**dynamo_csv.first_cells(record_), "accuracy": outcome_names.name_in(outcome_names.TORCH_DYNAMO, record_["outcome"])}]


def render(parts):
    return dynamo_csv.render(parts, [*dynamo_csv.FIRST, "accuracy"])
