"""Decides what a newly computed blob means for the rows of the lock: nothing, a new row, or a difference to explain.

Float64 results differ in their last bits between processors and library versions, so equal digests cannot be asked
for. Differences up to LIMIT of an output's standard deviation are such noise (float64 noise is 1e-13, what a test
allows 1e-5 at the least): the committed blob stays, and running the generator again changes nothing, bit for bit; but
for a blob that names a parameter which the implementation no longer has, and which the same numbers replace.
A larger one means that a model, its weights or its reference changed, and takes a reason (--accept-drift).
"""

import hashlib
import json
import math
from typing import NamedTuple

from artifacts.format import reference_blob
from artifacts.format.lock_table import Row

LIMIT = 1e-9

NEW, UNCHANGED, KEPT, SHARED, REPLACED = "new", "unchanged", "kept", "shared", "replaced"
DRIFTED, UNKNOWN = "DRIFTED", "UNKNOWN"  # refused: differs from the committed blob; that blob is not to be had
CHANGED = "CHANGED"  # refused: inputs, weights or a module with other bytes


class Blob(NamedTuple):
    data: bytes
    store: str
    provenance: str

    @property
    def sha256(self):
        return hashlib.sha256(self.data).hexdigest()


class Decision(NamedTuple):
    status: str
    row: Row  # what the lock should say; None where refused
    drift: float  # largest difference from the committed blob over std; NaN where there is none to compare with
    where: str  # the output that differs most, or in which way blobs cannot be compared


def decide(key, row, blob, siblings, read_blob, accept_reason=""):
    """Decides about `key`, whose row is `row` (or None), given its newly computed blob.

    Args:
      siblings: rows of other keys with the same content; a new key takes one of these rows where it fits.
      read_blob: Row -> bytes of its blob, or None where it is not to be had.
      accept_reason: why a drifted blob may replace the committed one; goes into the row's provenance.
    """
    fresh = Row(blob.sha256, len(blob.data), blob.store, blob.provenance)
    if row is None:
        return _new(fresh, blob, siblings, read_blob)
    if row.sha256 == fresh.sha256:
        return Decision(UNCHANGED, row, 0.0, "")
    committed = read_blob(row)
    if committed is None:
        drift, where, status = math.nan, "the committed blob is not to be had", UNKNOWN
    else:
        drift, where = difference(committed, blob.data)
        status = KEPT if drift <= LIMIT else DRIFTED
    if status == KEPT and not _names_as(committed, blob.data):
        return Decision(REPLACED, fresh, drift, where)
    if status == KEPT:
        return Decision(KEPT, row, drift, where)
    if not accept_reason:
        return Decision(status, None, drift, where)
    return Decision(REPLACED, _replacing(fresh, accept_reason), drift, where)


def decide_exact(row, fresh, accept_reason=""):
    """The same for inputs, weights and modules, which are made bit for bit the same wherever they are made."""
    if row is None:
        return Decision(NEW, fresh, math.nan, "")
    if row.sha256 == fresh.sha256:
        return Decision(UNCHANGED, row, 0.0, "")
    if not accept_reason:
        return Decision(CHANGED, None, math.nan, "")
    return Decision(REPLACED, _replacing(fresh, accept_reason), math.nan, "")


def _replacing(fresh, reason):
    return fresh._replace(provenance="%s; replaced: %s" % (fresh.provenance, reason))


def _new(fresh, blob, siblings, read_blob):
    for sibling in siblings:
        if sibling.sha256 == fresh.sha256:
            return Decision(SHARED, sibling, 0.0, "")
        committed = read_blob(sibling)
        if committed is not None:
            drift, where = difference(committed, blob.data)
            if drift <= LIMIT:
                return Decision(SHARED, sibling, drift, where)
    return Decision(NEW, fresh, math.nan, "")


def _names_as(committed, new):
    """Whether every parameter that the committed blob names has this value still. One that is new had no effect on it."""
    old, now = (json.loads(reference_blob.decode(data)[1].get("parameters", "{}")) for data in (committed, new))
    return all(name in now and now[name] == value for name, value in old.items())


def difference(committed, new):
    """(largest difference over std, where) of two blobs; infinite where they cannot be compared."""
    try:
        old_outputs, _ = reference_blob.decode(committed)
    except ValueError as error:
        return math.inf, "the committed blob is malformed: %s" % error
    new_outputs, _ = reference_blob.decode(new)
    if set(old_outputs) != set(new_outputs):
        return math.inf, "outputs %s, were %s" % (sorted(new_outputs), sorted(old_outputs))
    return max(_output_difference(name, old_outputs[name], new_outputs[name]) for name in sorted(old_outputs))


def _output_difference(name, old, new):
    if old.shape != new.shape:
        return math.inf, "%s: shape %s, was %s" % (name, list(new.shape), list(old.shape))
    if (old.indices is None) != (new.indices is None):
        return math.inf, "%s: one is whole, the other a sample" % name
    # A constant output has no spread; its size is the scale then, and for zeros an absolute 1.
    scale = old.stats.std or old.stats.largest or 1.0
    # Noise may tip a value over to the next float32.
    step = 2.0**-23 if "F32" in (old.dtype, new.dtype) else 0.0
    worst = max(max(0.0, abs(a - b) - step * abs(a)) for a, b in zip(old.values, new.values)) / scale
    of_stats = max(
        abs(old.stats.mean - new.stats.mean) / scale,
        abs(old.stats.std - new.stats.std) / scale,
        abs(old.stats.largest - new.stats.largest) / scale,
        abs(old.stats.norm - new.stats.norm) / (old.stats.norm or 1.0),
    )
    return max(worst, of_stats), name
