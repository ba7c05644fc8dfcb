"""A piece of a results file as rows for the database: pure work, done by several processes at once.

    part = read_piece(piece, keep=True)       # or of records that another suite's reader made: of_records()
    part.rows, part.documents, part.footers, part.problems

A document is a record's JSON without its samples, which have a table of their own. Without `keep` there are neither.
"""

import array
import zlib

import orjson

from tools.results import record as records
from tools.results.columns import Row
from tools.results.errors import Problem


class Part:
    def __init__(self):
        self.cases, self.machines = {}, {}  # tuple -> its number in this part
        self.rows = []  # (key, line, case, machine, values of RECORD, measurements, samples of each or None)
        self.documents = []
        self.footers = []  # rows of the table suite_runs
        self.problems = []  # (line, kind, message)

    def add(self, line, record, whole):
        """A record's struct, and a function that gives its JSON where that is kept, else None. Refused."""
        if records.is_footer(record):
            run = records.footer(record)
            self.footers.append(
                (
                    run.id,
                    run.started_utc,
                    run.duration_s,
                    run.planned,
                    run.done_before,
                    run.complete,
                    " ".join(run.flags),
                    bytes(record.suite_run).decode(),
                )
            )
            return
        try:
            row = Row(record)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise records.Refused(Problem.MALFORMED, "not a record: %s" % error) from None
        key = records.key(record, row)
        case = self.cases.setdefault(row.case, len(self.cases))
        machine = self.machines.setdefault(row.machine, len(self.machines))
        samples = None
        if whole:
            document = whole()
            for measurement in document.get("measurements", ()):
                measurement.pop("samples_ns", None)
            samples = [_blob(m.samples_ns) for m in record.measurements]
            self.documents.append(orjson.dumps(document))
        self.rows.append((key, line, case, machine, row.record, row.measurements, samples))


def _blob(samples):
    return array.array("d", samples).tobytes() if samples else None


def samples_of(blob):
    """The list of numbers that a blob of the table `samples` holds."""
    values = array.array("d")
    values.frombytes(blob)
    return values.tolist()


def read_piece(piece, keep):
    part = Part()
    for number, line in enumerate(piece.read().split(b"\n"), piece.line):
        if not line.strip():
            continue
        try:
            part.add(number, records.parse(line), (lambda line=line: orjson.loads(line)) if keep else None)
        except records.Refused as refused:
            part.problems.append((number, refused.kind, str(refused)))
    part.documents = pack(part.documents) if keep else None
    return part


def of_records(numbered, keep):
    """The same of (line, record) pairs."""
    part = Part()
    for number, record in numbered:
        try:
            part.add(number, records.of(record), (lambda record=record: record) if keep else None)
        except records.Refused as refused:
            part.problems.append((number, refused.kind, str(refused)))
    part.documents = pack(part.documents) if keep else None
    return part


def pack(documents):
    return zlib.compress(b"\n".join(documents), 1)


def unpack(lines):
    return zlib.decompress(lines).split(b"\n")
