"""One line of a results file: what makes it a record that may be imported, what of it the columns need, and its key.

    record = parse(line)              # Refused: not JSON, another schema, NaN, infinity, a negative time, a wrong type
    record = of(dictionary)           # the same of JSON that was read before
    key(record, Row(record))          # 16 bytes

A record here is a struct with the fields that the tables of columns.py name, and no more: what is not needed is never
made into objects of Python, which is what reading costs. Fields are those of defs/record.proto in Protocol Buffers'
JSON: unset fields are absent (None here), 64-bit integers are strings.
"""

import hashlib
import re
import sys
from typing import Annotated, Optional, Union

import msgspec
import orjson

from tools.results import columns
from tools.results.errors import Problem

SCHEMA_VERSION = 2
_PROTO = "defs/record.proto"
_NotNegative = Annotated[float, msgspec.Meta(ge=0, le=sys.float_info.max)]  # nor NaN
_TYPES = {
    columns.TEXT: Optional[str],
    columns.REAL: Optional[_NotNegative],
    columns.INTEGER: Optional[int],
    columns.LONG: Union[int, str, None],
    columns.FLAG: Optional[bool],
}
_RAW = (msgspec.Raw, msgspec.Raw(b""))


class Refused(ValueError):
    """A line that is not imported."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


def outcomes():
    """The names of record.proto's Outcome, which is the only place that spells them."""
    with open(_PROTO, encoding="utf-8") as f:
        body = re.search(r"^enum Outcome \{(.*?)^\}", f.read(), re.M | re.S).group(1)
    return frozenset(re.findall(r"^  ([A-Z_]+) = [1-9]\d*;", body, re.M))


OUTCOMES = outcomes()


def _struct(path, table, more=()):
    """A struct of the columns whose parent is `path`, and of (name, type, default)."""
    fields = [(field, _TYPES[kind], None) for _, kind, parent, field in table if parent == path]
    return msgspec.defstruct(path.replace(".", "_") or "record", fields + list(more), gc=False, frozen=True)


def _inner(name, struct):
    """A field that holds another struct; absent, it is an empty one."""
    return (name, struct, msgspec.field(default_factory=lambda empty=struct(): empty))


_ALL = [*columns.CASE, *columns.MACHINE, *columns.RECORD]
_OUTPUT = msgspec.defstruct(
    "output", [(name, Optional[_NotNegative], None) for name, _ in columns.WORST], gc=False, frozen=True
)
_CHECK = msgspec.defstruct("check", [("name", str, ""), ("status", str, "")], gc=False, frozen=True)
_MEASUREMENT = _struct(
    "",
    columns.MEASUREMENT,
    [
        ("samples_ns", list[_NotNegative], []),
        ("checks", list[_CHECK], []),
        *((name, Optional[_NotNegative], None) for name in ("null_ns", "budget_s", "timed_share")),
    ],
)
_RECORD = _struct(
    "",
    _ALL,
    [
        ("schema_version", int, 0),
        ("suite_run", *_RAW),
        ("measurements", list[_MEASUREMENT], []),
        _inner(
            "benchmark_case",
            _struct(
                "benchmark_case",
                _ALL,
                [
                    _inner("execution", _struct("benchmark_case.execution", _ALL)),
                    _inner("operator_call", _struct("benchmark_case.operator_call", _ALL)),
                    ("parameters", *_RAW),
                    ("tags", list[str], []),
                ],
            ),
        ),
        _inner("environment", _struct("environment", _ALL)),
        _inner(
            "verdict",
            _struct(
                "verdict",
                _ALL,
                [("outputs", list[_OUTPUT], []), _inner("reference", _struct("verdict.reference", _ALL))],
            ),
        ),
        _inner("memory", _struct("memory", _ALL)),
        _inner("launch", _struct("launch", _ALL)),
        _inner("imported", _struct("imported", _ALL, [("fields", str, "")])),
    ],
)
_DECODER = msgspec.json.Decoder(_RECORD)


def parse(line):
    try:
        return _checked(_DECODER.decode(line))
    except UnicodeDecodeError:
        raise Refused(Problem.MALFORMED, "not UTF-8") from None
    except msgspec.ValidationError as error:
        raise _refused(error, line) from None
    except msgspec.DecodeError as error:
        raise Refused(Problem.MALFORMED, "not JSON: %s" % error) from None


def of(dictionary):
    try:
        return _checked(msgspec.convert(dictionary, _RECORD))
    except msgspec.ValidationError as error:
        raise _refused(error, orjson.dumps(dictionary)) from None


def _refused(error, line):
    version = re.search(rb'"schema_version":\s*(\d+)', line)
    if version and int(version.group(1)) != SCHEMA_VERSION:  # whose fields may have had other types
        return _other_schema(int(version.group(1)))
    bad_number = re.search(r"`float` [<>]= |out of range", str(error))
    return Refused(Problem.NUMBER if bad_number else Problem.MALFORMED, "not a record: %s" % error)


def _other_schema(version):
    return Refused(Problem.SCHEMA, "schema version %d, and this program reads %d" % (version, SCHEMA_VERSION))


def _checked(record):
    if record.schema_version != SCHEMA_VERSION and (record.outcome or record.schema_version):
        raise _other_schema(record.schema_version)
    if not is_footer(record) and record.outcome not in OUTCOMES:
        what = "unknown outcome %.40r" % record.outcome if record.outcome else "no field `outcome`"
        raise Refused(Problem.MALFORMED, "not a record: " + what)
    return record


def is_footer(record):
    return bool(record.suite_run)


class _Footer(msgspec.Struct):
    """SuiteRun of record.proto, as far as it is read here."""

    id: Annotated[str, msgspec.Meta(min_length=1)]
    started_utc: Optional[str] = None
    duration_s: Optional[_NotNegative] = None
    flags: list[str] = []
    planned: Union[int, str] = 0
    done_before: Union[int, str] = 0
    complete: bool = False


def footer(record):
    """A footer's SuiteRun; Refused."""
    try:
        run = msgspec.json.decode(record.suite_run, type=_Footer)
        run.planned, run.done_before = int(run.planned), int(run.done_before)
        return run
    except ValueError as error:  # msgspec's are too
        raise Refused(Problem.MALFORMED, "not a suite_run: %s" % error) from None


def key(record, row):
    """Made of what the columns hold (columns.py): the start, the duration, every figure; and of what is imported.

    So a record is the same one however its fields are ordered and spaced, with samples and without.
    """
    content = orjson.dumps((row.case, row.machine, row.record, [m[:-2] for m in row.measurements]))
    return hashlib.blake2b(content + record.imported.fields.encode(), digest_size=16).digest()
