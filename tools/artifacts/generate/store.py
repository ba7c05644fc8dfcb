"""The artifacts folder that the generator reads and writes: lock.bzl, blobs/ (in the tree), staged/ (for a bucket).

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


class Store:
    def __init__(self, folder, blobs, settings):
        self._folder, self._blobs, self._settings = folder, blobs, settings
        self._lock_path = os.path.join(folder, "lock.bzl")
        self.table = lock_table.read(self._lock_path) if os.path.exists(self._lock_path) else {}
        self._counts = collections.Counter()
        self._kept_drift = (0.0, "")  # largest, of which key
        self._taken = {}  # path of a file that a worker made -> its Row
        self._put = set()  # (folder, object name) that is known to be there
        self._staged_bytes = 0

    def add(self, content, path, provenance):
        """Takes the reference at `path` into the store for the content's keys; returns messages of refusals."""
        with open(path, "rb") as f:
            data = f.read()
        outputs, _ = reference_blob.decode(data)
        stds = {name: output.stats.std for name, output in outputs.items()}
        in_bucket = content.in_bucket or len(data) > self._settings.embed_limit
        blob = drift.Blob(data, lock_table.BUCKET if in_bucket else lock_table.EMBEDDED, provenance)
        failures = []
        siblings = [self.table[key] for key in content.keys if key in self.table]
        for key in content.keys:
            row = self.table.get(key)
            decision = drift.decide(key, row, blob, siblings, self._blobs.read, self._settings.accept_reason)
            print(report.row_text(key, decision, len(data), stds), flush=True)
            failures += self._apply(key, decision, path, blob.sha256)
            siblings += [self.table[key]] if decision.row else []
        return failures

    def add_extra(self, content, role, path, provenance):
        """The same for inputs, weights or a module; `path` may serve several contents and goes once it is stored."""
        if path not in self._taken:
            digest, size = committed.digest_of(path), os.path.getsize(path)
            self._taken[path] = lock_table.Row(digest, size, lock_table.BUCKET, provenance, role=role)
        fresh = self._taken[path]
        failures = []
        for key in (key + "." + role for key in content.keys):
            decision = drift.decide_exact(self.table.get(key), fresh, self._settings.accept_reason)
            print(report.row_text(key, decision, fresh.size, {}), flush=True)
            failures += self._apply(key, decision, path, fresh.sha256)
        stored = os.path.join(committed.local_folder(self._folder, fresh), fresh.object_name)
        if os.path.exists(path) and os.path.exists(stored):
            os.unlink(path)
        return failures

    def _apply(self, key, decision, path, sha256):
        """Writes what was decided about `key`; `path` holds the new blob, of that digest."""
        self._counts[decision.status] += 1
        if decision.status == drift.KEPT:
            self._kept_drift = max(self._kept_drift, (decision.drift, key))
        if decision.row is None:
            return [self._refusal(key, decision)]
        row = self._explained(decision)
        fresh = row.sha256 == sha256
        source = path if fresh and os.path.exists(path) else self._blobs.path(row)
        if fresh or row.store == lock_table.EMBEDDED:
            self._put_once(committed.local_folder(self._folder, row), row, source)
        if self._settings.out:
            self._put_once(self._settings.out, row, source)
        self.table[key] = row
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

    def _refusal(self, key, decision):
        if decision.status == drift.CHANGED:
            return "%s: %s" % (key, _CHANGED)
        drift_text = report.drift_text(decision.drift)
        message = _REFUSALS[decision.status] % (drift_text, decision.where, drift.LIMIT)
        return "%s: %s%s" % (key, message, "".join("\n    " + c for c in self._blobs.complaints[-2:]))

    def write_lock(self):
        lock_table.write(self._lock_path, self.table)

    def _unused_blobs(self):
        folder = os.path.join(self._folder, "blobs")
        used = {row.object_name for row in self.table.values()}
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return [name for name in names if name.endswith(".safetensors") and name not in used]

    def totals(self, wanted_keys):
        """What was done, for people; `wanted_keys`: of every case there is."""
        counted = ", ".join("%d %s" % (n, status) for status, n in sorted(self._counts.items()))
        lines = ["rows: %s" % counted if counted else "rows: none"]
        if self._kept_drift[1]:
            text = "largest difference that was kept: %.1e std (%s), limit %.0e"
            lines.append(text % (*self._kept_drift, drift.LIMIT))
        lines.append(self._lock_totals())
        if self._settings.out:
            count = sum(folder == self._settings.out for folder, _ in self._put)
            new = size_text(self._staged_bytes)
            lines.append("%s: %d blobs of these cases, %s of them new" % (self._settings.out, count, new))
        stale = sorted(key for key, row in self.table.items() if lock_table.case_key(key, row) not in wanted_keys)
        if stale:
            some = " ".join(stale[:3] + ["…"] * (len(stale) > 3))
            lines.append("%d rows belong to no case (%s); %s" % (len(stale), some, _PRUNE))
        unused = self._unused_blobs()
        if unused:
            lines.append("%d blobs in the tree belong to no row; %s" % (len(unused), _PRUNE))
        return "\n".join(lines)

    def _lock_totals(self):
        rows = self.table.values()
        embedded = {row.sha256: row.size for row in rows if row.store == lock_table.EMBEDDED}
        bucket = {row.sha256: row.size for row in rows if row.store == lock_table.BUCKET}
        sizes = [size_text(sum(blobs.values())) for blobs in (embedded, bucket)]
        text = "lock: %d rows; %d blobs in the tree, %s; %d blobs for a bucket, %s"
        return text % (len(self.table), len(embedded), sizes[0], len(bucket), sizes[1])
