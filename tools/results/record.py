"""One line of a results file: what makes it a record that may be imported, what of it the columns need, and its key.

    record = parse(line)              # Refused: not JSON, another schema, NaN, infinity, a negative time, a wrong type, parts
                                      # that disagree
    record = of(dictionary)           # the same of JSON that was read before
    flagged(measurement)              # the names of the checks that FLAGGED it, or what was served
    benchmark_case(record)            # a struct

A record here is a struct with the fields that the tables of columns.py name, and no more: what is not needed is never
made into objects of Python, which is what reading costs. So a measurement's checks stay text, of which a third of a
record consists, and are read only where one FLAGGED something; and a case stays text, since splitting.py has read the
same text before. Fields are those of defs/proto/record.proto in Protocol Buffers' JSON: unset fields are absent (None
here), 64-bit integers are strings.
"""

import json
import math
import re
import sys
from typing import Annotated, Optional

import msgspec
import orjson

from defs.proto import record_types
from tools.results import agreement, columns, passed_over
from tools.results.errors import Problem, Refused
from tools.results.projection import projection

SCHEMA_VERSION = 2
OUTCOMES = frozenset(record_types.EXIT_CODES)
_NotNegative = Annotated[float, msgspec.Meta(ge=0, le=sys.float_info.max)]  # nor NaN
_Long = Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
_Count = Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)]
# A number that is absent is a NaN, which SQLite takes for NULL and which none in a file can be: of a None its module
# asks each time how to adapt it, which takes as long as all the rest of an insertion.
ABSENT = math.nan
_TYPES = {
    columns.TEXT: (str, None),
    columns.REAL: (_NotNegative, ABSENT),
    columns.INTEGER: (_Long, ABSENT),
    columns.LONG: (_Long, ABSENT),
    columns.FLAG: (bool, ABSENT),
}
_LIST, _OBJECT, _NOTHING = ((msgspec.Raw, msgspec.Raw(text)) for text in (b"[]", b"{}", b""))


def _of_column(kind, default):
    return _TYPES[columns.KINDS[kind]] if kind in columns.KINDS else (kind, default)


CASE = "benchmark_case."  # begins the paths that benchmark_case() has without it
_PATHS = [column.path for table in (columns.CASE, columns.MACHINE, columns.RECORD) for column in table]
IN_CASE = [path.removeprefix(CASE) for path in _PATHS if path.startswith(CASE)]
_Check = projection(record_types.Check, ["name", "status"])
_CHECKS = msgspec.json.Decoder(list[_Check])
_NAME, _STATUS, _FLAGGED = b'{"name":"', b'","status":"', b"CHECK_FLAGGED"
_CASE = msgspec.json.Decoder(projection(record_types.BenchmarkCase, [*IN_CASE, "tags"], _of_column), strict=False)
_MEASURED = [column.path for column in columns.MEASUREMENT] + ["null_ns", "budget_s", "timed_share"]
_OUTPUT = {column.path: (_NotNegative, 0.0) for column in columns.WORST}
# Fields that agreement.py looks at beside the columns.
_OUTPUT.update(name=(str, ""), outcome=(Optional[str], None), rms_limit=(float, 0.0), elements_wrong=(_Long, 0))
_Record = projection(
    record_types.Record,
    [
        *(path for path in _PATHS if not path.startswith(CASE)),
        *("measurements." + path for path in _MEASURED),
        *("served." + column.path for column in columns.SERVED),
        *("served.%s.%s" % (field, name) for field in columns.LATENCIES for name in ("share", "ns", "certified_ns")),
        "verdict.checks.name",
        "verdict.checks.status",
    ],
    _of_column,
    own={
        "schema_version": (int, 0),
        "suite_run": _NOTHING,
        "benchmark_case": _OBJECT,
        "measurements.samples_ns": (list[_NotNegative], []),
        "measurements.checks": _LIST,
        "served.checks": _LIST,
        "environment.variables": _NOTHING,
        "verdict.runs": (_Long, 0),
        "verdict.passed_runs": (_Long, 0),
        "configuration.settings": _OBJECT,
        "imported.fields": (str, ""),
        **{"verdict.outputs." + name: kind for name, kind in _OUTPUT.items()},
    },
)
_DECODER = msgspec.json.Decoder(_Record, strict=False)  # which reads "64" as a number


def parse(line):
    """Does not see a number beyond the range of a double in a field without a column; passed_over.whole() does."""
    try:
        if not line.isascii():
            line.decode()
        record = _decoded(_DECODER, line)
    except UnicodeDecodeError:
        raise Refused(Problem.MALFORMED, "not UTF-8") from None
    except msgspec.ValidationError as error:
        raise _refused(error, line) from None
    except ValueError as error:  # msgspec's and json's
        raise Refused(Problem.MALFORMED, "not JSON: " + _explained(str(error), bytes(line))) from None
    checked = _checked(record)
    if b'NaN"' in line or b'Infinity"' in line or b"\\" in line:  # a letter may be written as an escape
        passed_over.refuse_words(passed_over.whole(line))
    return checked


def _explained(message, line):
    place = re.search(r"\(byte (\d+)\)", message)
    word = place and re.match(rb"-?(NaN|Infinity)", line[int(place[1]) :])
    if word:
        return "%s %s, which JSON does not have; leave out a number that is not known" % (word[0].decode(), place[0])
    return message


def _decoded(decoder, text):
    try:
        return decoder.decode(text)
    except msgspec.ValidationError as error:
        if "got `null`" not in str(error):
            raise
        return decoder.decode(json.dumps(without_nulls(json.loads(bytes(text)))))


def without_nulls(value):
    """A null is an absent field, in Protocol Buffers' JSON; this suite writes none."""
    if isinstance(value, dict):
        return {name: without_nulls(inner) for name, inner in value.items() if inner is not None}
    return [without_nulls(inner) for inner in value] if isinstance(value, list) else value


def of(dictionary):
    orjson.dumps(dictionary)  # which raises where a text or a number cannot be written
    known = without_nulls(dictionary)
    texts = {name: _text(known[name]) for name in ("benchmark_case", "suite_run") if name in known}
    try:
        return _checked(msgspec.convert({**known, **texts}, _Record, strict=False))
    except msgspec.ValidationError as error:
        raise _refused(error, json.dumps(dictionary).encode()) from None


def _text(value):
    return msgspec.Raw(json.dumps(value).encode())


def flagged(measured, field="measurements"):
    checks, place = bytes(measured.checks), "$.%s[...].checks" % field
    if checks == b"null":
        return None
    if not checks.startswith(b"["):
        raise Refused(Problem.MALFORMED, "not a record: Expected `array` - at `%s`" % place)
    names = _plainly_flagged(checks)
    if names is None:
        try:
            names = [check.name for check in _decoded(_CHECKS, checks) if check.status == "CHECK_FLAGGED"]
        except msgspec.ValidationError as error:
            raise _refused(error, b"", place) from None
    return " ".join(names) or None


def _plainly_flagged(checks):
    """The names, where a check is written as this suite writes it; else None. A quarter of the time of reading all."""
    if b"\\" in checks:  # any letter may be written as an escape
        return None
    names, place = [], checks.find(_FLAGGED)
    while place >= 0:
        end = place - len(_STATUS)
        begin = checks.rfind(b'"', 0, end) + 1
        if checks[end:place] != _STATUS or checks[begin - len(_NAME) : begin] != _NAME:
            return None
        names.append(checks[begin:end].decode())
        place = checks.find(_FLAGGED, place + 1)
    return names


def benchmark_case(record):
    try:
        return _decoded(_CASE, record.benchmark_case)
    except msgspec.ValidationError as error:
        raise _refused(error, b"", "$.benchmark_case") from None


def _refused(error, line, place="$"):
    version = re.search(rb'"schema_version":\s*(\d+)', line)
    if version and int(version.group(1)) != SCHEMA_VERSION:  # whose fields may have had other types
        return _other_schema(int(version.group(1)))
    bad_number = re.search(r"`float` [<>]= |out of range", str(error))
    return Refused(
        Problem.NUMBER if bad_number else Problem.MALFORMED, "not a record: %s" % str(error).replace("`$", "`" + place)
    )


def _other_schema(version):
    return Refused(Problem.SCHEMA, "schema version %d, and this program reads %d" % (version, SCHEMA_VERSION))


def _checked(record):
    if record.schema_version != SCHEMA_VERSION and (record.outcome or record.schema_version):
        raise _other_schema(record.schema_version)
    if not is_footer(record) and record.outcome not in OUTCOMES:
        what = "unknown outcome %.40r" % record.outcome if record.outcome else "no field `outcome`"
        raise Refused(Problem.MALFORMED, "not a record: " + what)
    agreement.check(record)
    return record


def is_footer(record):
    return bool(record.suite_run)


# SuiteRun of record.proto, as far as it is read here.
_Footer = projection(
    record_types.SuiteRun,
    ["flags", "complete"],
    own={
        "id": (Annotated[str, msgspec.Meta(min_length=1)],),
        "started_utc": (Optional[str], None),
        "duration_s": (Optional[_NotNegative], None),
        "planned": (_Count, 0),
        "done_before": (_Count, 0),
    },
)
_FOOTER = msgspec.json.Decoder(_Footer, strict=False)


def footer(record):
    """A footer's SuiteRun; Refused."""
    try:
        return _decoded(_FOOTER, record.suite_run)
    except msgspec.ValidationError as error:
        raise _refused(error, b"", "$.suite_run") from None
