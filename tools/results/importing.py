"""import: files of results into the database, each record once.

    with database.writing(path) as connection:
        report = Importer(connection, keep=True).file("/data/runs.jsonl", "runs.jsonl", form="")

A file of this suite is read in pieces by as many processes as there are CPUs, and continued where it ended if its old
part is unchanged. Files of others (formats/) are small and read whole.
"""

import os

from tools.results import columns, reading, rows
from tools.results.errors import Problem
from tools.results.formats import registry
from tools.results.line_file import LineFile, StartAt
from tools.results.tallies import Tallies

_MOST_ASKED = 1000  # keys of one question; SQLite takes 32766


class Report:
    """The result for one file."""

    def __init__(self, path):
        self.path, self.format = path, ""
        self.new = self.known = self.footers = 0
        self.problems = []

    @property
    def refused(self):
        return len(self.problems)


def _into(columns_count):
    return ", ".join("?" * columns_count)


def foreign(reader, path, shown, found):
    """The Part of another suite's file, whose format was `found`."""
    document = registry.read(found, path, shown)
    part = reader.records(registry.records(found, document, os.path.basename(shown)))
    part.problems = sorted(document.problems + part.problems)
    return part


class _Dimension:
    """A table of what repeats: digest -> id."""

    def __init__(self, connection, table):
        self._connection, self._table = connection, table
        self._ids = dict(connection.execute("SELECT digest, id FROM " + table))

    def add(self, new):
        for digest, values in new.items():
            if digest not in self._ids:
                sql = "INSERT INTO %s VALUES (NULL, ?, %s)" % (self._table, _into(len(values)))
                self._ids[digest] = self._connection.execute(sql, (digest, *values)).lastrowid

    def __getitem__(self, digest):
        return self._ids[digest]


class Importer:
    def __init__(self, connection, keep):
        self._connection, self._keep = connection, keep
        self._cases, self._machines = _Dimension(connection, "cases"), _Dimension(connection, "machines")
        self._tallies = Tallies(connection)
        self._reader = rows.Reader(keep)
        self._record = self._next("records")
        self._measurement = self._next("measurements")

    def _next(self, table):
        return self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM " + table).fetchone()[0]

    def file(self, path, shown, form):
        """A Report. `shown`: what the user calls it; form: a format's name, or "" to tell by its content."""
        report = Report(shown)
        path = os.path.realpath(path)
        found = registry.named(form) if form else registry.detect(path, report.path)
        report.format = found.NAME
        if found is registry.assay:
            self._own(path, report)
        else:
            self._foreign(path, report, found)
        self._tallies.write()
        return report

    def _source(self, path, form):
        """Its id, and where a file of that name ended when it was read before."""
        found = self._connection.execute(
            "SELECT id, bytes, lines, sha256 FROM sources WHERE path = ?", (path,)
        ).fetchone()
        if found:
            return found[0], StartAt(*found[1:])
        cursor = self._connection.execute("INSERT INTO sources (path, format, bytes) VALUES (?, ?, 0)", (path, form))
        return cursor.lastrowid, StartAt()

    def _own(self, path, report):
        source, start = self._source(path, report.format)
        file = LineFile(path, start if start.sha256 else StartAt())
        for piece, part in self._parts(file):
            self._store(part, source, report, file.lines)
            file.passed(piece, part.lines, part.digest)
        if file.torn:
            message = (
                "the last line has no end: its writer died or is still writing; %d bytes left for the next import"
                % file.torn
            )
            report.problems.append(Problem(report.path, file.lines + 1, Problem.TORN, message))
        self._connection.execute(
            "UPDATE sources SET bytes = ?, lines = ?, sha256 = ? WHERE id = ?",
            (file.end, file.lines, file.sha256, source),
        )

    def _parts(self, file):
        """(piece, part), in order."""
        pieces = list(file.pieces())
        processes = min(len(os.sched_getaffinity(0)), len(pieces))
        if processes < 2:
            for piece in pieces:
                yield piece, self._reader.piece(piece)
            return
        with reading.Processes(processes, pieces, self._keep) as parts:
            yield from zip(pieces, parts)

    def _foreign(self, path, report, found):
        source, _ = self._source(path, report.format)
        self._store(foreign(self._reader, path, report.path, found), source, report)

    def _store(self, part, source, report, lines_before=0):
        """Adds what is new of a part, and counts."""
        report.problems += [
            Problem(report.path, line + lines_before if lines_before else line, kind, message)
            for line, kind, message in part.problems
        ]
        footers = [row for _, *row in part.footers]
        self._connection.executemany("INSERT OR REPLACE INTO suite_runs VALUES (%s)" % _into(8), footers)
        report.footers += len(part.footers)
        self._cases.add(part.cases)
        self._machines.add(part.machines)
        kept = self._unknown(part.rows)
        report.new += len(kept)
        report.known += len(part.rows) - len(kept)
        if not kept:
            return
        records, measurements, samples, rates, first = [], [], [], [], self._record
        for key, line, case, machine, values, figures, blobs, served in kept.values():
            case, machine = self._cases[case], self._machines[machine]
            line = line + lines_before if lines_before else line
            end = self._measurement + len(figures)
            records.append((self._record, key, source, line, case, machine, self._measurement, end, *values))
            measurements += figures
            if blobs:
                samples += [(place, blob) for place, blob in enumerate(blobs, self._measurement) if blob]
            rates += [(self._record, place, *rate) for place, rate in enumerate(served)]
            self._tallies.add(case, machine, values, figures)
            self._measurement = end
            self._record += 1
        many = self._connection.executemany
        many("INSERT INTO records VALUES (%s)" % _into(8 + len(columns.RECORD_NAMES)), records)
        # Without an id, which then is the next one, as in records' `first` and `behind`.
        many("INSERT INTO measurements VALUES (NULL, %s)" % _into(len(columns.MEASUREMENT_NAMES)), measurements)
        many("INSERT INTO rates VALUES (?, ?, %s)" % _into(len(columns.SERVED_NAMES)), rates)
        if part.documents is not None:
            many("INSERT INTO samples VALUES (?, ?)", samples)
            lines = part.documents
            if len(kept) < len(part.rows):
                documents = rows.unpack(lines)
                lines = rows.pack([documents[place] for place in kept])
            many("INSERT INTO documents VALUES (?, ?, ?)", [(first, self._record - 1, lines)])

    def _unknown(self, part_rows):
        """place -> row, of the rows that are not in the database; of equal ones the first."""
        known, kept = set(), {}
        for start in range(0, len(part_rows), _MOST_ASKED):
            keys = [row[0] for row in part_rows[start : start + _MOST_ASKED]]
            sql = "SELECT key FROM records WHERE key IN (%s)" % _into(len(keys))
            known.update(key for (key,) in self._connection.execute(sql, keys))
        for place, row in enumerate(part_rows):
            if row[0] not in known:
                known.add(row[0])
                kept[place] = row
        return kept
