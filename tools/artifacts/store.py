"""The artifacts folder that the generator reads and writes: lock.bzl, blobs/ (in the tree), staged/ (for a bucket)."""

import collections
import os

from tools.artifacts import drift, report
from tools.artifacts.format import lock_table, reference_blob, safetensors_file

_REFUSALS = {
    drift.DRIFTED: "differs from the committed blob by %s std (%s), more than %.0e. If that is meant: --accept-drift='why'",
    drift.UNKNOWN: "has another digest than the lock (drift %s: %s), so it is not known whether it drifted (limit %.0e). "
    "Set ASSAY_BUCKET to where the blobs are, or give --accept-drift='why'",
}


class Store:
    """Decides about blobs, and keeps table and files in step: a blob is written before the row that names it."""

    def __init__(self, folder, source, accept_reason, embed_limit):
        self._folder, self._source = folder, source
        self._accept_reason, self._embed_limit = accept_reason, embed_limit
        self._lock_path = os.path.join(folder, "lock.bzl")
        self.table = lock_table.read(self._lock_path) if os.path.exists(self._lock_path) else {}
        self._counts = collections.Counter()

    def add(self, content, path, provenance):
        """Takes the blob at `path` into the store for the content's keys; returns messages of what was refused."""
        with open(path, "rb") as f:
            data = f.read()
        outputs, _ = reference_blob.decode(data)
        stds = {name: output.stats.std for name, output in outputs.items()}
        in_bucket = content.in_bucket or len(data) > self._embed_limit
        blob = drift.Blob(data, lock_table.BUCKET if in_bucket else lock_table.EMBEDDED, provenance)
        failures = []
        siblings = [self.table[key] for key in content.keys if key in self.table]
        for key in content.keys:
            row = self.table.get(key)
            decision = drift.decide(key, row, blob, siblings, self._source.read, self._accept_reason)
            print(report.row_text(key, decision, len(data), stds), flush=True)
            self._counts[decision.status] += 1
            if decision.row is None:
                failures.append(self._refusal(key, decision))
                continue
            if decision.row.sha256 == blob.sha256:
                self._keep_blob(blob, decision.row)
            self.table[key] = decision.row
            siblings.append(decision.row)
        return failures

    def _refusal(self, key, decision):
        message = _REFUSALS[decision.status] % (report.drift_text(decision.drift), decision.where, drift.LIMIT)
        return "%s: %s%s" % (key, message, "".join("\n    " + c for c in self._source.complaints[-2:]))

    def _keep_blob(self, blob, row):
        """Writes the blob where its row says, unless it is there: files named by digest are never overwritten."""
        folder = os.path.join(self._folder, "blobs" if row.store == lock_table.EMBEDDED else "staged")
        path = os.path.join(folder, row.sha256 + ".safetensors")
        if os.path.exists(path) and self._source.read(row) is not None:
            return
        os.makedirs(folder, exist_ok=True)
        safetensors_file.write_bytes(path, blob.data)

    def write_lock(self):
        lock_table.write(self._lock_path, self.table)

    def _unused_blobs(self):
        folder = os.path.join(self._folder, "blobs")
        used = {row.sha256 for row in self.table.values()}
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return [os.path.join(folder, n) for n in sorted(names) if n.endswith(".safetensors") and n.split(".")[0] not in used]

    def prune(self, wanted_keys):
        """Drops rows of no case, then blobs of no row."""
        self.table = {key: row for key, row in self.table.items() if key in wanted_keys}
        self.write_lock()
        for path in self._unused_blobs():
            os.unlink(path)

    def totals(self, wanted_keys):
        counted = ", ".join("%d %s" % (n, status) for status, n in sorted(self._counts.items()))
        embedded = {row.sha256: row.size for row in self.table.values() if row.store == lock_table.EMBEDDED}
        staged = {row.sha256: row.size for row in self.table.values() if row.store == lock_table.BUCKET}
        lines = ["rows: %s" % counted if counted else "rows: none"]
        sizes = [report.size_text(sum(blobs.values())) for blobs in (embedded, staged)]
        lines.append(
            "lock: %d rows; %d blobs in the tree, %s; %d blobs for a bucket, %s"
            % (len(self.table), len(embedded), sizes[0], len(staged), sizes[1])
        )
        stale = sorted(set(self.table) - wanted_keys)
        if stale:
            some = " ".join(stale[:3] + ["…"] * (len(stale) > 3))
            lines.append("%d rows belong to no case (%s): --prune drops them" % (len(stale), some))
        unused = self._unused_blobs()
        if unused:
            lines.append("%d blobs in the tree belong to no row: --prune removes them" % len(unused))
        return "\n".join(lines)
