"""A record's struct (record.py), split into what the tables hold (columns.py).

    splitter = Splitter()
    row = splitter.split(record)      # raises one of errors.BROKEN
    splitter.cases.take()             # digest -> tuple, in the order of CASE_NAMES: those that are new since the last time

Cases and machines repeat from record to record: what was made of one is kept, and found by the text of the case and by
the fields of the machine.
"""

import hashlib
import marshal
import operator
from typing import NamedTuple

import orjson

from tools.results import columns
from tools.results import record as records

_MOST_KEPT = 1 << 16  # of one dimension: a file may be made so that none repeats


_MOMENT = 5  # bytes: 261123235959 fits


class Row(NamedTuple):
    key: bytes  # 16 of them
    case: bytes  # digests
    machine: bytes
    record: tuple  # in the order of RECORD_NAMES
    measurements: list  # of tuples in the order of MEASUREMENT_NAMES
    served: list  # of tuples in the order of SERVED_NAMES


def _getter(table):
    """A function that makes tuples of one table of columns."""
    return operator.attrgetter(*[column.path for column in table])


class _Dimension:
    """The parts that repeat from record to record: tuples, and a digest of each."""

    def __init__(self):
        self._digests, self._new = {}, {}

    def digest(self, seen, make):
        """The result of make(), which is called only if `seen` is new."""
        found = self._digests.get(seen)
        if found is None:
            if len(self._digests) >= _MOST_KEPT:
                self._digests.clear()
            values = make()
            found = self._digests[seen] = _digest(_written(values))
            self._new[found] = values
        return found

    def take(self):
        new, self._new = self._new, {}
        return new


def _digest(content):
    return hashlib.blake2b(content, digest_size=16).digest()


def _moment(started_utc):
    """Begins a key, so that those of records that follow each other are neighbours in the index of keys."""
    try:
        return int(started_utc[2:19].encode().translate(None, b"-:T")).to_bytes(_MOMENT, "big")
    except (TypeError, ValueError, OverflowError):  # none, or no time
        return bytes(_MOMENT)


def _written(values):
    """Equal values as equal bytes, in every CPython: of version 2, which has no references to equal strings."""
    return marshal.dumps(values, 2)


def _json(value):
    """The same text for the same value; None for an empty one."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode() if value else None


def _flags(settings):
    """The settings of a configuration that a back end does not change."""
    known = records.without_nulls(orjson.loads(settings)) or {}
    return {name: value for name, value in known.items() if name.partition(".")[0] != "backend"}


_IN_CASE = operator.attrgetter(*records.IN_CASE)
_BESIDE = _getter([c for c in columns.CASE if not c.path.startswith(records.CASE)])
_MACHINE, _RECORD, _MEASUREMENT = (_getter(t) for t in (columns.MACHINE, columns.RECORD, columns.MEASUREMENT))
_WORST, _SERVED = _getter(columns.WORST), _getter(columns.SERVED)
_NO_OUTPUTS = (records.ABSENT,) * len(columns.WORST)
_NO_PERCENTILE = (records.ABSENT,) * 2
_ROUNDING = 1e-9  # 99.9 / 100 is not 0.999


def own_values(record):
    """In the order of RECORD_NAMES."""
    outputs = record.verdict.outputs
    return (*_RECORD(record), *(map(max, zip(*map(_WORST, outputs))) if outputs else _NO_OUTPUTS))


def _percentiles(latencies):
    """For each of PERCENTILES two figures."""
    found = {}
    for one in latencies:
        name = next((name for name, share in columns.PERCENTILES.items() if abs(share - one.share) < _ROUNDING), None)
        found.setdefault(name, (one.ns, one.certified_ns))
    return [figure for name in columns.PERCENTILES for figure in found.get(name, _NO_PERCENTILE)]


def _rate(served):
    """In the order of SERVED_NAMES."""
    figures = [figure for field in columns.LATENCIES for figure in _percentiles(getattr(served, field))]
    return (*_SERVED(served), *figures, records.flagged(served, "served"))


class Splitter:
    def __init__(self):
        self.cases, self.machines = _Dimension(), _Dimension()

    def split(self, record):
        text, machine = (bytes(record.benchmark_case), _BESIDE(record)), _MACHINE(record)
        variables = bytes(record.environment.variables)
        case = self.cases.digest(text, lambda: self._case(record))
        machine = self.machines.digest((machine, variables), lambda: (*machine, _json(orjson.loads(variables or b"null"))))
        own = own_values(record)
        figures = [*map(_MEASUREMENT, record.measurements)]
        # The start, the duration, every figure, and what is imported: a record is the same one however its fields are
        # ordered and spaced, with samples and without.
        served = [*map(_rate, record.served)]
        every = (own, figures, served) if served else (own, figures)
        digest = _digest(case + machine + _written(every) + record.imported.fields.encode())
        key = _moment(record.started_utc) + digest[_MOMENT:]
        measurements = [
            (*values, len(m.samples_ns), records.flagged(m)) for values, m in zip(figures, record.measurements)
        ]
        return Row(key, case, machine, own, measurements, served)

    @staticmethod
    def _case(record):
        case = records.benchmark_case(record)
        inside, beside = iter(_IN_CASE(case)), iter(_BESIDE(record))
        values = {c.name: next(inside if c.path.startswith(records.CASE) else beside) for c in columns.CASE}
        if case.tags and (values["device"] is None or values["backend"] is None):
            # Texts that no enum of suite.proto has: another suite's devices and compilers.
            tags = dict(tag.split("=", 1) for tag in case.tags if "=" in tag)
            values["device"] = values["device"] or tags.get("device")
            values["backend"] = values["backend"] or tags.get("backend")
        whole = records.without_nulls(orjson.loads(bytes(record.benchmark_case)))
        settings = {name: whole[name] for name in ("execution", "training") if name in whole}
        if "execution" in settings:
            own = {name: value for name, value in settings["execution"].items() if name not in columns.IN_EXECUTION}
            settings["execution"] = own
        return (
            *values.values(),
            (case.label or "").partition(":")[0].rpartition("/")[2] or None,
            _json(whole.get("parameters")),
            _json({name: value for name, value in settings.items() if value}),
            _json(_flags(bytes(record.configuration.settings))),
            " ".join(case.tags),
        )
