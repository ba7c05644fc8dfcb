"""The records of a file, and of each only what a roofline needs, in the types that record.proto gives it.

    given = read("runs.jsonl", shown="runs.jsonl")     # an analysis.Input; Stop where the file has no records

A line that is no record is left out and is one of the Input's problems.
"""

import os
from typing import Annotated

import msgspec

from tools.results import passed_over, record
from tools.results.errors import BROKEN, USAGE, Stop, refused
from tools.results.line_file import opened
from tools.roofline.analysis import Input

_Number = Annotated[float, msgspec.Meta(ge=0)]
_Count = Annotated[int, msgspec.Meta(ge=0)]


class _Execution(msgspec.Struct):
    autocast: str = ""
    matmul_precision: str = ""


class _Case(msgspec.Struct):
    name: str = ""
    dtype: str = ""
    execution: _Execution = msgspec.field(default_factory=_Execution)


class _Environment(msgspec.Struct):
    cpu_model: str = ""
    gpu_name: str = ""
    threads: _Count = 0
    cpu_cache_bytes: _Count = 0
    gpu_l2_bytes: _Count = 0
    tf32_matmul: bool = False
    tf32_cudnn: bool = False


class _Check(msgspec.Struct):
    name: str = ""
    status: str = ""


class _Measurement(msgspec.Struct):
    mode: str = ""
    preset: str = ""
    step: str = ""
    median_ns: _Number = 0.0
    ci_low_ns: _Number = 0.0
    ci_high_ns: _Number = 0.0
    null_ns: _Number = 0.0
    injected_share: _Number = 0.0
    flops_per_call: _Number = 0.0
    bytes_per_call: _Number = 0.0
    padding_flops_per_call: _Number = 0.0
    checks: list[_Check] = []


class _Peak(msgspec.Struct):
    name: str = ""
    probe: str = ""
    per_s: _Number = 0.0
    ci_low_per_s: _Number = 0.0
    ci_high_per_s: _Number = 0.0


class _Record(msgspec.Struct):
    benchmark_case: _Case = msgspec.field(default_factory=_Case)
    device: str = ""
    outcome: str = ""
    started_utc: str = ""
    environment: _Environment = msgspec.field(default_factory=_Environment)
    measurements: list[_Measurement] = []
    peaks: list[_Peak] = []


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
