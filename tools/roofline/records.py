"""The records of a file, and of each only what a roofline needs, in record.proto's types.

    given = read("runs.jsonl", shown="runs.jsonl")     # an analysis.Input; Stop where the file has no records

A line that is no record is left out and is one of the Input's problems.
"""

import os
from typing import Annotated

import msgspec

from defs.proto import record_types
from tools.results import passed_over, record
from tools.results.errors import BROKEN, USAGE, Stop, refused
from tools.results.line_file import opened
from tools.results.projection import projection
from tools.roofline.analysis import Input

_COUNT, _NUMBER = (Annotated[kind, msgspec.Meta(ge=0)] for kind in (int, float))
_Record = projection(
    record_types.Record,
    """
    benchmark_case.name benchmark_case.dtype benchmark_case.execution.autocast benchmark_case.execution.matmul_precision
    device outcome started_utc
    environment.cpu_model environment.gpu_name environment.threads environment.cpu_cache_bytes environment.gpu_l2_bytes
    environment.tf32_matmul environment.tf32_cudnn
    measurements.mode measurements.preset measurements.step measurements.median_ns measurements.ci_low_ns
    measurements.ci_high_ns measurements.null_ns measurements.injected_share measurements.flops_per_call
    measurements.bytes_per_call measurements.padding_flops_per_call measurements.checks.name measurements.checks.status
    peaks.name peaks.probe peaks.per_s peaks.ci_low_per_s peaks.ci_high_per_s
    """.split(),
    leaf=lambda kind, default: (kind if kind in (str, bool) else _NUMBER if kind is float else _COUNT, default),
)


def read(path, shown):
    if not os.path.exists(path):
        raise Stop(USAGE, "%s: no such file; check the name" % shown)
    records, problems = [], []
    with opened(path, shown) as f:
        for number, line in enumerate(f, 1):
            if not line.strip():
                continue
            try:
                if not record.is_footer(record.parse(line)):
                    records.append(typed(passed_over.whole(line)))
            except BROKEN as error:
                torn = "" if line.endswith(b"\n") else "torn line: "
                problems.append("%s:%d: %s%s" % (shown, number, torn, refused(error)))
    if not records:
        raise Stop(USAGE, "%s: holds no records%s" % (shown, "; " + problems[0] if problems else ""))
    return Input(shown, records, problems)


def typed(dictionary):
    """A dict with every field of _Record."""
    known = record.without_nulls(dictionary)
    return msgspec.to_builtins(msgspec.convert(known, _Record, strict=False))
