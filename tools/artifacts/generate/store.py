"""Reads and writes the generator's files: each package's lock.bzl, and stores with blobs/ (in the tree) and staged/
(for a bucket); lock_tree.py says which is whose.

Decides about each blob, and keeps table and files in step: a blob is written before the row that names it, each as a
whole, so that whatever ends the program leaves a lock whose blobs are there. With settings.out, the blob of every row
that was looked at is put there as well: where the committed blob was kept, that one, so that the folder fits the lock.
"""

import collections
import os
from typing import NamedTuple

from artifacts.format import lock_table, reference_blob
from artifacts.format.quantity import size_text
from tools.artifacts.generate import committed, drift, report, stage, workspace

_REFUSALS = {
    drift.DRIFTED: "differs from the committed blob by %s std (%s), more than %.0e. "
    "If that is meant: --accept-drift='why'",
    drift.UNKNOWN: "has another digest than the lock (drift %s: %s), so it is not known whether it drifted "
    "(limit %.0e). Set ASSAY_BUCKET to where the blobs are, or give --accept-drift='why'",
}
_CHANGED = (
    "has other bytes than the lock's, although such blobs are the same wherever they are made. "
    "If that is meant: --accept-drift='why'"
)
_PRUNE = "`tools/bazel run //tools:artifacts -- prune`"
_REPRODUCED = (drift.UNCHANGED, drift.KEPT, drift.SHARED)


class Settings(NamedTuple):
    accept_reason: str = ""
    embed_limit: int = 262144  # bytes
    commit: str = ""  # of the tree that computes
    out: str = ""  # folder shaped like a bucket, or ""


class _Shelf(NamedTuple):
    """A package's lock, and the store of its blobs, while the generator works."""

    lock: str
    store: str
    blobs: committed.Blobs
    table: dict  # changes


class Store:
    """`blobs_of`: a store's folder -> committed.Blobs."""

    def __init__(self, tree, blobs_of, settings):
        self._tree, self._blobs_of, self._settings = tree, blobs_of, settings
        self._shelves = {}  # path of the lock -> _Shelf
        self._counts = collections.Counter()
        self._kept_drift = (0.0, "")  # largest, of which key
        self._taken = {}  # path of a file that a worker made -> its Row
        self._put = set()  # (folder, object name) that is known to be there
        self._staged_bytes = 0

    def open(self, package):
        """The shelf of a package; LockError where its lock is damaged."""
        shelf = self._tree.shelf(package)
        if shelf.lock not in self._shelves:
            self._shelves[shelf.lock] = _Shelf(shelf.lock, shelf.store, self._blobs_of(shelf.store), shelf.read())
        return self._shelves[shelf.lock]

    def add(self, content, path, provenance):
        """Takes the reference at `path` into the store for the content's keys; returns messages of refusals."""
        with open(path, "rb") as f:
            data = f.read()
        outputs, _ = reference_blob.decode(data)
        stds = {name: output.stats.std for name, output in outputs.items()}
        in_bucket = content.in_bucket or len(data) > self._settings.embed_limit
        blob = drift.Blob(data, lock_table.BUCKET if in_bucket else lock_table.EMBEDDED, provenance)
        failures = []
        shelf = self.open(content.package)
        siblings = [shelf.table[key] for key in content.keys if key in shelf.table]
        for key in content.keys:
            row = shelf.table.get(key)
            decision = drift.decide(key, row, blob, siblings, shelf.blobs.read, self._settings.accept_reason)
            print(report.row_text(key, decision, len(data), stds), flush=True)
            failures += self._apply(shelf, key, decision, path, blob.sha256)
            siblings += [shelf.table[key]] if decision.row else []
        return failures

    def add_extra(self, content, role, path, provenance):
        """The same for inputs, weights or a module; `path` may serve several contents and goes once it is stored."""
        if path not in self._taken:
            digest, size = committed.digest_of(path), os.path.getsize(path)
            self._taken[path] = lock_table.Row(digest, size, lock_table.BUCKET, provenance, role=role)
        fresh, shelf = self._taken[path], self.open(content.package)
        failures = []
        for key in (key + "." + role for key in content.keys):
            decision = drift.decide_exact(shelf.table.get(key), fresh, self._settings.accept_reason)
            print(report.row_text(key, decision, fresh.size, {}), flush=True)
            failures += self._apply(shelf, key, decision, path, fresh.sha256)
        stored = os.path.join(committed.local_folder(shelf.store, fresh), fresh.object_name)
        if os.path.exists(path) and os.path.exists(stored):
            os.unlink(path)
        return failures

    def _apply(self, shelf, key, decision, path, sha256):
        """Writes what was decided about `key`; `path` holds the new blob, of that digest."""
        self._counts[decision.status] += 1
        if decision.status == drift.KEPT:
            self._kept_drift = max(self._kept_drift, (decision.drift, key))
        if decision.row is None:
            return [self._refusal(shelf, key, decision)]
        row = self._explained(decision)
        fresh = row.sha256 == sha256
        source = path if fresh and os.path.exists(path) else shelf.blobs.path(row)
        if fresh or row.store == lock_table.EMBEDDED:
            self._put_once(committed.local_folder(shelf.store, row), row, source)
        if self._settings.out:
            self._put_once(self._settings.out, row, source)
        shelf.table[key] = row
        return []

    def _explained(self, decision):
        """The row with the commit that computed its blob, or that computed it again where none was known."""
        row, commit = decision.row, self._settings.commit
        if decision.status in _REPRODUCED:
            explains = workspace.is_clean(commit) and not workspace.is_clean(row.commit)
            return row._replace(commit=commit) if explains else row
        return row._replace(commit=commit)

    def _put_once(self, folder, row, source):
        if (folder, row.object_name) not in self._put:
            if stage.put(folder, row, source) and folder == self._settings.out:
                self._staged_bytes += row.size
            self._put.add((folder, row.object_name))

    def _refusal(self, shelf, key, decision):
        if decision.status == drift.CHANGED:
            return "%s: %s" % (key, _CHANGED)
        drift_text = report.drift_text(decision.drift)
        message = _REFUSALS[decision.status] % (drift_text, decision.where, drift.LIMIT)
        return "%s: %s%s" % (key, message, "".join("\n    " + c for c in shelf.blobs.complaints[-2:]))

    def write_lock(self):
        for shelf in self._shelves.values():
            lock_table.write(shelf.lock, shelf.table)

    def _tables(self):
        """(table of all rows, {store: its tables}), of this run's packages and of all others whose lock can be read."""
        tables, rows = collections.defaultdict(list), {}
        for shelf in self._tree.shelves():
            try:
                table = self._shelves[shelf.lock].table if shelf.lock in self._shelves else shelf.read()
            except (lock_table.LockError, OSError) as error:
                print("left out of these totals: %s" % error)
                continue
            tables[shelf.store].append(table)
            rows.update(table)
        return rows, tables

    @staticmethod
    def _unused_blobs(store, tables):
        folder = os.path.join(store, "blobs")
        used = {row.object_name for table in tables for row in table.values()}
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return [name for name in names if name.endswith(".safetensors") and name not in used]

    def totals(self, wanted_keys):
        """The changes, for people; `wanted_keys`: the keys of all cases."""
        counted = ", ".join("%d %s" % (n, status) for status, n in sorted(self._counts.items()))
        lines = ["rows: %s" % counted if counted else "rows: none"]
        if self._kept_drift[1]:
            text = "largest difference that was kept: %.1e std (%s), limit %.0e"
            lines.append(text % (*self._kept_drift, drift.LIMIT))
        table, tables = self._tables()
        lines.append(self._lock_totals(table))
        if self._settings.out:
            count = sum(folder == self._settings.out for folder, _ in self._put)
            new = size_text(self._staged_bytes)
            lines.append("%s: %d blobs of these cases, %s of them new" % (self._settings.out, count, new))
        stale = sorted(key for key, row in table.items() if lock_table.case_key(key, row) not in wanted_keys)
        if stale:
            some = " ".join(stale[:3] + ["…"] * (len(stale) > 3))
            lines.append("%d rows belong to no case (%s); %s" % (len(stale), some, _PRUNE))
        unused = [name for store, its_tables in tables.items() for name in self._unused_blobs(store, its_tables)]
        if unused:
            lines.append("%d blobs in the tree belong to no row; %s" % (len(unused), _PRUNE))
        return "\n".join(lines)

    @staticmethod
    def _lock_totals(table):
        rows = table.values()
        embedded = {row.sha256: row.size for row in rows if row.store == lock_table.EMBEDDED}
        bucket = {row.sha256: row.size for row in rows if row.store == lock_table.BUCKET}
        sizes = [size_text(sum(blobs.values())) for blobs in (embedded, bucket)]
        text = "locks: %d rows; %d blobs in the tree, %s; %d blobs for a bucket, %s"
        return text % (len(table), len(embedded), sizes[0], len(bucket), sizes[1])
