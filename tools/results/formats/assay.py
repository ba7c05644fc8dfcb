"""This suite's own JSON lines, one record each (defs/proto/record.proto). Read by tools/results/rows.py, in pieces."""

from tools.results.formats import document as d

NAME = "assay"
TITLE = "this suite: --record"


def misses(look):
    first = d.entries(look.value)
    if not first and look.first_line.startswith('{"schema_version"'):
        return ""  # torn in its first line, which begins as protobuf's JSON of a record does
    if (
        "schema_version" in first
        and not isinstance(first.get("metric"), dict)
        or "suite_run" in first
        or "benchmark_case" in first
    ):
        return ""
    return "no `schema_version` in its first line"
