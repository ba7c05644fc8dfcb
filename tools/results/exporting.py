"""export: records out of the database in this suite's format or another's, in CSV or in Parquet.

    said = export(connection, "xla_jsonl", "results.jsonl", "outcome = 'PASS'", samples=True, anonymous=False, out=sys.stdout)

`said` are lines for stderr: what the format cannot hold, and which secrets were taken out, each once. A file appears
whole or not at all.
"""

import contextlib
import itertools
import json
import os

import orjson

from artifacts.fetch.secret_texts import clean_text
from artifacts.format import atomic_file
from tools.results import columns, database, query
from tools.results.anonymity import without_folders, without_person
from tools.results.errors import BROKEN, SURROUNDINGS, USAGE, Stop, refused
from tools.results.formats import assay, document, google_benchmark, registry
from tools.results.rows import samples_of
from tools.results.secret_values import clean_json, without_secrets
from tools.results.stored import Stored

PARQUET = "parquet"
FORMATS = [assay.NAME] + [form.NAME for form in registry.WRITTEN] + [PARQUET]
_ROWS = 20000  # of one group of a Parquet file


class _Said:
    """Messages that are shown once, whatever the number of records."""

    def __init__(self, anonymous):
        self._anonymous = anonymous
        self.lost, self.secrets, self.hidden, self.broken = {}, 0, {}, []

    @contextlib.contextmanager
    def guarded(self, record):
        """Leaves out a record that is too odd for the format, and no other."""
        try:
            yield
        except BROKEN as error:
            self.broken.append("%s of %s: %s" % (_name(record), record.get("started_utc"), refused(error)))

    def losses(self, form, record):
        for what, applies in form.LOSSES.items():
            if what not in self.lost and applies(record):
                self.lost[what] = form.NAME

    def clean(self, record):
        cleaned, places = without_secrets(record)
        if places:
            self.secrets += 1
            self.hidden.update(dict.fromkeys(places))
        return without_person(cleaned) if self._anonymous else cleaned

    def lines(self, chosen, form):
        lines = ["%s cannot hold: %s" % (form, what) for what in self.lost]
        if self.broken:
            lines.append("left out: %d records, the first of them %s" % (len(self.broken), self.broken[0]))
        if self.secrets:
            some = list(self.hidden)
            lines.append(
                "secrets taken out of %d records: %s" % (self.secrets, ", ".join(some[:5] + ["…"] * (len(some) > 5)))
            )
        if chosen.from_columns:
            lines.append(
                "%d records come from columns alone, since they were imported with --samples=no: no samples, no details "
                "of checks, outputs and machine" % chosen.from_columns
            )
        return lines


def export(connection, form, path, where, samples, anonymous, out):
    """Lines for stderr."""
    if form not in FORMATS:
        raise Stop(USAGE, "--format=%s: unknown; one of %s" % (form, ", ".join(FORMATS)))
    said = _Said(anonymous)
    with _opened(path, out) as file:
        if form == PARQUET:
            return _parquet(connection, where, samples, anonymous, file)
        chosen = Stored(connection, where, samples)
        if form == assay.NAME:
            _own(chosen, said, file)
        else:
            file.write(_foreign(chosen, said, next(f for f in registry.WRITTEN if f.NAME == form)).encode())
    return said.lines(chosen, form) + ["%d records written" % (len(chosen) - len(said.broken))]


class _Machines:
    """The machines of the records that go into one file of a format."""

    def __init__(self, form):
        self._form, self._key = form, getattr(form, "one_machine", None)
        self._known = {}  # what the format's rows keep -> machine -> the condition that chooses it

    def add(self, record):
        if self._key and document.device_model(record):
            self._known.setdefault(self._key(record), {}).setdefault(document.machine(record), document.where(record))

    def check(self):
        for machines in self._known.values():
            if len(machines) > 1:
                raise Stop(
                    USAGE,
                    '%s: its rows do not say which machine they are of, and these are of %d: %s; choose one: --where="%s"'
                    % (self._form.NAME, len(machines), ", ".join(machines), next(iter(machines.values()))),
                )


def _name(record):
    case = record.get("benchmark_case")
    return case.get("name") if isinstance(case, dict) else None


@contextlib.contextmanager
def _opened(path, out):
    try:
        if path == "-":
            yield out.buffer
            out.flush()
        else:
            with atomic_file.opened(path) as file:
                yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        mend = (
            "make the folder first"
            if not os.path.isdir(os.path.dirname(os.path.abspath(path)))
            else "nothing was written"
        )
        raise Stop(SURROUNDINGS, "%s: %s; %s" % (path, error.strerror, mend)) from None


def _own(chosen, said, file):
    runs = set()
    for record in chosen.records():
        runs.add(record.get("launch", {}).get("suite_run"))
        with said.guarded(record):
            file.write(orjson.dumps(said.clean(record)) + b"\n")
    for footer in chosen.footers(runs):
        file.write(orjson.dumps(said.clean(footer)) + b"\n")


def _foreign(chosen, said, form):
    """Rows that came in this format go out as they were, in the files' order; those of other records are made."""
    files, made, first, machines = {}, [], None, _Machines(form)
    there, twin = set(), getattr(form, "TWIN", None)
    for record in chosen.records():
        with said.guarded(record):
            record = said.clean(record)
            machines.add(record)
            imported = record.get("imported", {})
            if imported.get("format") == form.NAME and "fields" in imported:
                fields = json.loads(imported["fields"])
                head = json.dumps(fields.get("head", {}), sort_keys=True)
                files.setdefault((imported.get("source"), head), []).extend(fields["rows"])
                there.add(_name(record))
            else:
                said.losses(form, record)
                made.append((_name(record) if twin and imported.get("format") == twin else None, form.rows_of(record)))
                first = first or record
    machines.check()
    # The other half of a run is no second run.
    made = [row for name, rows in made if not name or name not in there for row in rows]
    parts = []
    for (_, head), numbered in files.items():
        parts.append((json.loads(head), [row for _, row in sorted(numbered, key=lambda pair: pair[0])]))
    heads = [head for head, _ in parts if head]
    if len(heads) > 1 and form.render.__module__ in (google_benchmark.__name__, registry.openxla_json.__name__):
        said.lost["heads of %d files beside the first" % (len(heads) - 1)] = form.NAME
    if made:
        head = form.context_of(first) if hasattr(form, "context_of") and not parts else {}
        parts.append((head, made))
    return form.render(parts)


def _parquet(connection, where, samples, anonymous, file):
    """Rows of the view `results`; lines for stderr. Columns have the types of the database's."""
    import pyarrow
    import pyarrow.parquet

    types = {
        columns.TEXT: pyarrow.string(),
        columns.REAL: pyarrow.float64(),
        columns.INTEGER: pyarrow.int64(),
        columns.LONG: pyarrow.int64(),
        columns.FLAG: pyarrow.bool_(),
    }
    kinds = {
        c[0]: types[c[1]]
        for table in (
            columns.CASE,
            columns.MACHINE,
            columns.RECORD,
            columns.WORST,
            columns.MEASUREMENT,
            columns.COUNTED,
        )
        for c in table
    }
    kinds.update(
        {"id": pyarrow.int64(), "partial": pyarrow.bool_(), "line": pyarrow.int64(), "measurement": pyarrow.int64()}
    )
    kinds.update(dict.fromkeys(database.MADE, pyarrow.float64()))
    sql = "SELECT results.*%s FROM results%s%s ORDER BY id, measurement" % (
        ", s.nanoseconds AS samples_ns" if samples else "",
        " LEFT JOIN samples s ON s.measurement = results.measurement" if samples else "",
        " WHERE (%s\n)" % where if where else "",
    )
    names, found = query.rows(connection, sql)
    kinds["samples_ns"] = pyarrow.list_(pyarrow.float64())
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in names])
    count, hidden = 0, set()
    with pyarrow.parquet.ParquetWriter(file, schema) as writer:
        while batch := _batch(found):
            arrays = []
            for field, column in zip(schema, zip(*batch)):
                if pyarrow.types.is_string(field.type):
                    values = _texts(field.name, column, anonymous, hidden)
                else:
                    values = _values(pyarrow, field.type, column)
                arrays.append(pyarrow.array(values, type=field.type))
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            count += len(batch)
    secrets = ["secrets taken out of the columns: %s" % ", ".join(sorted(hidden))] if hidden else []
    return secrets + ["%d measurements written" % count]


def _batch(found):
    return list(itertools.islice(found, _ROWS))


def _values(pyarrow, kind, column):
    """What Parquet takes for the database's values."""
    if pyarrow.types.is_list(kind):
        return [None if blob is None else samples_of(blob) for blob in column]
    if pyarrow.types.is_boolean(kind):
        return [None if value is None else bool(value) for value in column]
    if pyarrow.types.is_floating(kind):
        return [None if value is None else float(value) for value in column]
    return column


def _texts(name, column, anonymous, hidden):
    """Texts without secrets; `hidden` gets the column's name where one was in it."""
    clean = clean_json if name in columns.JSON else clean_text
    cleaned = {value: value and clean(value) for value in dict.fromkeys(column)}
    if any(value != other for value, other in cleaned.items()):
        hidden.add(name)
    if anonymous:
        cleaned = {value: other and without_folders(other) for value, other in cleaned.items()}
    return [cleaned[value] for value in column]
