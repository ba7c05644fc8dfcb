"""import: files of results into the database, each record once.

    with database.writing(path) as connection:
        report = Importer(connection, keep=True).file("/data/runs.jsonl", "runs.jsonl", form="")

A file of this suite is read in pieces by as many processes as there are CPUs, and continued where it ended if its old
part is unchanged. Files of others (formats/) are small and read whole.
"""

import collections
import gc
import itertools
import multiprocessing
import os

from tools.results import columns, rows
from tools.results.errors import Problem
from tools.results.formats import registry
from tools.results.line_file import LineFile, StartAt

_PIECES_AHEAD = 2  # for each process: enough to keep it busy, little enough for memory


class Report:
    """What became of one file."""

    def __init__(self, path):
        self.path, self.format = path, ""
        self.new = self.known = self.footers = 0
        self.problems = []

    @property
    def refused(self):
        return len(self.problems)


def _into(columns_count):
    return ", ".join("?" * columns_count)


class Importer:
    def __init__(self, connection, keep):
        self._connection, self._keep = connection, keep
        self._cases = self._dimensions("cases")
        self._machines = self._dimensions("machines")
        self._record = self._next("records")
        self._measurement = self._next("measurements")

    def _dimensions(self, table):
        return {tuple(row[1:]): row[0] for row in self._connection.execute("SELECT * FROM " + table)}

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
        for part in self._parts(file):
            self._store(part, source, report)
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
        pieces = file.pieces()
        head = list(itertools.islice(pieces, 2))
        processes = len(os.sched_getaffinity(0))
        if len(head) < 2 or processes < 2:
            yield from (rows.read_piece(piece, self._keep) for piece in head)
            yield from (rows.read_piece(piece, self._keep) for piece in pieces)
            return
        with multiprocessing.get_context("fork").Pool(processes, gc.disable) as pool:  # records have no circles
            waiting = collections.deque()
            for piece in itertools.chain(head, pieces):
                waiting.append(pool.apply_async(rows.read_piece, (piece, self._keep)))
                if len(waiting) > processes * _PIECES_AHEAD:
                    yield waiting.popleft().get()
            while waiting:
                yield waiting.popleft().get()

    def _foreign(self, path, report, found):
        source, _ = self._source(path, report.format)
        document = registry.read(found, path, report.path)
        part = rows.of_records(registry.records(found, document, os.path.basename(report.path)), self._keep)
        part.problems = sorted(document.problems + part.problems)
        self._store(part, source, report)

    def _store(self, part, source, report):
        """Adds what is new of a part, and counts."""
        report.problems += [Problem(report.path, *problem) for problem in part.problems]
        self._connection.executemany("INSERT OR REPLACE INTO suite_runs VALUES (%s)" % _into(8), part.footers)
        report.footers += len(part.footers)
        cases, machines = (
            self._ids("cases", self._cases, part.cases),
            self._ids("machines", self._machines, part.machines),
        )
        kept = self._unknown(part.rows)
        report.new += len(kept)
        report.known += len(part.rows) - len(kept)
        if not kept:
            return
        records, measurements, samples, first = [], [], [], self._record
        for key, line, case, machine, values, figures, blobs in kept.values():
            records.append((self._record, key, source, line, cases[case], machines[machine], *values))
            for place, figure in enumerate(figures):
                measurements.append((self._measurement, self._record, *figure))
                if blobs and blobs[place]:
                    samples.append((self._measurement, blobs[place]))
                self._measurement += 1
            self._record += 1
        many = self._connection.executemany
        many("INSERT INTO records VALUES (%s)" % _into(6 + len(columns.RECORD_NAMES)), records)
        many("INSERT INTO measurements VALUES (%s)" % _into(2 + len(columns.MEASUREMENT_NAMES)), measurements)
        if part.documents is not None:
            many("INSERT INTO samples VALUES (?, ?)", samples)
            lines = part.documents
            if len(kept) < len(part.rows):
                documents = rows.unpack(lines)
                lines = rows.pack([documents[place] for place in kept])
            many("INSERT INTO documents VALUES (?, ?, ?)", [(first, self._record - 1, lines)])

    def _unknown(self, part_rows):
        """place -> row, of the rows that are not in the database; of equal ones the first."""
        keys = [row[0] for row in part_rows]
        known = {
            key
            for (key,) in self._connection.execute("SELECT key FROM records WHERE key IN (%s)" % _into(len(keys)), keys)
        }
        kept = {}
        for place, row in enumerate(part_rows):
            if row[0] not in known:
                known.add(row[0])
                kept[place] = row
        return kept

    def _ids(self, table, ids, wanted):
        """For the numbers of a part its dimensions' ids."""
        for values in wanted:
            if values not in ids:
                cursor = self._connection.execute(
                    "INSERT INTO %s VALUES (NULL, %s)" % (table, _into(len(values))), values
                )
                ids[values] = cursor.lastrowid
        return [ids[values] for values in wanted]
