"""Records out of the database: of documents and samples, as they went in, or else of columns (import --samples=no).

chosen = Stored(connection, "outcome = 'PASS'", samples=True)
for record in chosen.records(): ...          # in the order in which they were imported
chosen.from_columns                          # how many of them had no document
"""

import orjson

from tools.results import columns, database, query, rows
from tools.results import record as records

_BATCH = 500


class Stored:
    def __init__(self, connection, where, samples):
        self._connection, self._samples = connection, samples
        sql = "SELECT id FROM runs WHERE (%s\n) ORDER BY id" % where if where else "SELECT id FROM records ORDER BY id"
        self._ids = [row[0] for row in query.rows(connection, sql)[1]]
        self.from_columns = 0

    def __len__(self):
        return len(self._ids)

    def records(self):
        self.from_columns = 0
        for start in range(0, len(self._ids), _BATCH):
            ids = self._ids[start : start + _BATCH]
            documents = self._documents(ids)
            measurements = self._measurements(ids)
            missing = [one for one in ids if one not in documents]
            self.from_columns += len(missing)
            documents.update(self._of_columns(missing, measurements))
            for one in ids:
                yield self._with_samples(documents[one], measurements.get(one, ()))

    def footers(self, runs):
        """The lines that end the suite's runs of these ids."""
        found = self._connection.execute("SELECT id, json FROM suite_runs ORDER BY started_utc, id")
        return [{"schema_version": 2, "suite_run": orjson.loads(run)} for one, run in found if one in runs]

    def _select(self, sql, ids):
        return self._connection.execute(sql % ", ".join("?" * len(ids)), ids)

    def _documents(self, ids):
        wanted, found = set(ids), {}
        blocks = self._connection.execute(
            "SELECT first, lines FROM documents WHERE first <= ? AND last >= ? ORDER BY first", (ids[-1], ids[0])
        )
        for first, lines in blocks:
            for number, document in enumerate(rows.unpack(lines), first):
                if number in wanted:
                    found[number] = records.without_nulls(orjson.loads(document))
        return found

    def _measurements(self, ids):
        """record's id -> [(blob or None, *columns)], in order."""
        found = {}
        sql = (
            "SELECT r.id, s.nanoseconds, %s FROM records r CROSS JOIN measurements x ON %s"
            " LEFT JOIN samples s ON s.measurement = x.id WHERE r.id IN (%%s) ORDER BY x.id"
        ) % (", ".join("x." + name for name in columns.MEASUREMENT_NAMES), database.MEASURED)
        for one, *values in self._select(sql, ids):
            found.setdefault(one, []).append(values)
        return found

    def _of_columns(self, ids, measurements):
        made, rates = {}, {}
        sql = "SELECT record, %s FROM rates WHERE record IN (%%s) ORDER BY record, place" % ", ".join(columns.SERVED_NAMES)
        for one, *values in self._select(sql, ids) if ids else ():
            rates.setdefault(one, []).append(values)
        cases, machines, own = (
            ["%s.%s" % (t, n) for n in names]
            for t, names in (("c", columns.CASE_NAMES), ("m", columns.MACHINE_NAMES), ("r", columns.RECORD_NAMES))
        )
        sql = (
            "SELECT r.id, %s FROM records r JOIN cases c ON c.id = r.case_id JOIN machines m ON m.id = r.machine_id"
            " WHERE r.id IN (%%s)"
        ) % ", ".join(cases + machines + own)
        for one, *values in self._select(sql, ids) if ids else ():
            end = len(cases) + len(machines)
            made[one] = columns.rebuilt(
                values[: len(cases)],
                values[len(cases) : end],
                values[end:],
                [v[1:] for v in measurements.get(one, ())],
                rates.get(one, ()),
            )
        return made

    def _with_samples(self, record, measurements):
        for measurement, (blob, *_) in zip(record.get("measurements", ()), measurements):
            if not self._samples:
                measurement.pop("clock_mhz", None)  # one for each sample
            elif blob:
                measurement["samples_ns"] = rows.samples_of(blob)
        return record
