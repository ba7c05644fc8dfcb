"""A piece of a results file as rows for the database: pure work, done by several processes at once.

    reader = Reader(keep=True)
    part = reader.piece(piece)        # or of records that another suite's reader made: reader.records()
    part.rows, part.documents, part.footers, part.problems
    Part.unpacked(part.packed())      # the same in another process

A document is a record's JSON without its samples, which have a table of their own. Without `keep` there are neither.
"""

import array
import marshal
import zlib

import orjson

from tools.results import errors, passed_over, splitting
from tools.results import record as records
from tools.results.errors import BROKEN
from tools.results.splitting import Splitter


_MARK = b"\xef\xbb\xbf"  # UTF-8's byte order mark


class Part:
    """The content of a piece of the file, as `Reader` found it."""

    def __init__(self):
        self.lines, self.digest = 0, b""
        self.cases, self.machines = {}, {}  # digest -> tuple, of those that this reader had not found before
        self.rows = []  # (key, line from 1, case, machine, values of RECORD, measurements, samples of each or None, served)
        self.documents = []
        self.footers = []  # (line, *row of the table suite_runs)
        self.problems = []  # (line, kind, message)

    def packed(self):
        """Bytes, in less than half of pickle's time."""
        return marshal.dumps(list(self.__dict__.values()), 2)

    @staticmethod
    def unpacked(packed):
        part = Part()
        part.__dict__.update(zip(part.__dict__, marshal.loads(packed)))
        return part


class Reader:
    def __init__(self, keep, each=None):
        """With `each`, each(line, dictionary) gets a piece's good records instead, and a row is what checking.py looks at: a digest
        of the text for a key, and the values of RECORD. Without cases, machines and figures that takes half the time."""
        self._keep, self._splitter, self._each = keep, Splitter(), each

    def piece(self, piece):
        part = Part()
        data, part.digest = piece.read()
        lines = data.split(b"\n")
        if not data.isascii() and _MARK in data:  # of a file that an editor wrote, or of several that were put together
            lines = [one.removeprefix(_MARK) for one in lines]
        part.lines = len(lines) - 1
        for number, line in enumerate(lines, 1):
            if line.strip():
                self._add(part, number, line, records.parse, passed_over.whole)
        return self._ended(part)

    def records(self, numbered):
        """The same of (line, record) pairs."""
        part = Part()
        for number, record in numbered:
            self._add(part, number, record, records.of, lambda record: record)
        return self._ended(part)

    def _add(self, part, line, given, parse, whole):
        """`whole` makes a dictionary of what is given, `parse` a struct."""
        samples = None
        try:  # the one guard of a line: nothing else that it holds is lost with it
            record, document = parse(given), whole(given)
            if records.is_footer(record):
                part.footers.append((line, *_footer(record)))
                return
            if self._each:
                self._each(line, document)
                part.rows.append((hash(given), line, None, None, splitting.own_values(record), [], None, []))
                return
            row = self._splitter.split(record)
            if self._keep:
                for measurement in document.get("measurements") or ():
                    measurement.pop("samples_ns", None)
                samples = [_blob(m.samples_ns) for m in record.measurements]
                part.documents.append(orjson.dumps(document))
        except BROKEN as error:
            refused = errors.refused(error)
            part.problems.append((line, refused.kind, str(refused)))
            return
        part.rows.append((row.key, line, row.case, row.machine, row.record, row.measurements, samples, row.served))

    def _ended(self, part):
        part.cases, part.machines = self._splitter.cases.take(), self._splitter.machines.take()
        part.documents = pack(part.documents) if self._keep else None
        return part


def _footer(record):
    run = records.footer(record)
    flags = " ".join(run.flags)
    text = orjson.dumps(passed_over.whole(bytes(record.suite_run))).decode()
    return (run.id, run.started_utc, run.duration_s, run.planned, run.done_before, run.complete, flags, text)


def _blob(samples):
    return array.array("d", samples).tobytes() if samples else None


def samples_of(blob):
    """The list of numbers that a blob of the table `samples` holds."""
    values = array.array("d")
    values.frombytes(blob)
    return values.tolist()


def pack(documents):
    return zlib.compress(b"\n".join(documents), 1)


def unpack(lines):
    return zlib.decompress(lines).split(b"\n")
