"""Checks the parts of a line that record.py skips, since no column holds them: are they JSON, and are their numbers
numbers?

    document = passed_over.whole(line)      # a dictionary; Refused
    passed_over.refuse_words(document)      # Refused where a number is a text such as "NaN"

Protocol Buffers' JSON has NaN and infinity as texts, which this suite's own reader refuses too (strict_json.h). Whether
a text stands in the place of a number, only the proto's types say: an error may well read "NaN".
"""

import functools
import json
import math

import msgspec
import orjson

from defs.proto import record_types
from tools.results import projection
from tools.results.errors import Problem, Refused

@functools.cache
def _fields(message):
    """Name -> (type of an element, what holds it)."""
    return {one.name: projection.shape(one.type) for one in msgspec.structs.fields(message)}


_QUOTATION_MARK = b"\\u0022"  # which is written again as one


def whole(line):
    """Also Refused where a name stands twice in one object: of two values readers differ in which they take."""
    try:
        document = orjson.loads(line)
    except ValueError as error:
        raise Refused(Problem.MALFORMED, "not JSON: %s" % error) from None
    if _may_repeat(line, document):
        json.loads(line, object_pairs_hook=_object)
    return document


def _may_repeat(line, document):
    """A name that stands twice stands once in what is written again, which then has fewer quotation marks. To look at every
    object takes five times as long."""
    again = orjson.dumps(document)
    if again == line:  # as in every file that `export` wrote
        return False
    if b"\\" in line and _QUOTATION_MARK in line:
        return True
    return _quotation_marks(again) != _quotation_marks(line)


def _quotation_marks(text):
    return len(text) - len(text.translate(None, b'"'))  # in half of count()'s time


def _object(pairs):
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise Refused(Problem.MALFORMED, "not a record: the name %.40r stands twice in one object" % repeated)
    return made


def refuse_words(document):
    _look(document, record_types.Record, "$")


def _look(value, kind, path):
    if isinstance(value, list):
        for place, inner in enumerate(value):
            _look(inner, kind, "%s[%d]" % (path, place))
    elif kind is float:
        if isinstance(value, str) and not _is_number(value):
            message = 'not a record: "%.40s" is no number - at `%s`' % (value, path)
            raise Refused(Problem.NUMBER, message)
    elif isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        for name, inner in value.items():
            inner_kind, holder = _fields(kind).get(name, (None, None))
            inner_path = "%s.%s" % (path, name)
            if holder is dict and isinstance(inner, dict):
                for key, entry in inner.items():
                    _look(entry, inner_kind, '%s["%.40s"]' % (inner_path, key))
            else:
                _look(inner, inner_kind, inner_path)


def _is_number(text):
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
