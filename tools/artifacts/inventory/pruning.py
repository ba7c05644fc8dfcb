"""`artifacts prune`: rows that no case reads, and blobs in this tree that no row names. Says which; deletes on request.

Rows go before blobs, so that whatever ends the program, no row is without its blob. Only files whose names are a digest
are ever removed. What lies in a bucket stays: older commits read it.
"""

import os
import re

from artifacts.format import lock_table
from artifacts.format.quantity import size_text

COLUMNS = ("kind", "name", "size")
_OBJECT = re.compile(r"[0-9a-f]{64}\.(safetensors|pt2|onnx)")


def find(read, cases):
    """Records of what nothing needs: {kind, name, size}. `read`: lock_tree.Tree.read()."""
    used = cases.keys_in_use()
    stale, named, folders = {}, {}, {}
    for shelf, table in read:
        stale.update({key: row for key, row in table.items() if lock_table.case_key(key, row) not in used})
        named.setdefault(shelf.store, set()).update(row.object_name for key, row in table.items() if key not in stale)
        folders[shelf.store] = shelf.folders
    records = [{"kind": "row", "name": key, "size": row.size} for key, row in sorted(stale.items())]
    for store, its_folders in folders.items():
        for folder in its_folders:
            records += _unnamed(folder, named[store])
    return records


def _unnamed(folder, named):
    records = []
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        path = os.path.join(folder, name)
        if _OBJECT.fullmatch(name) and name not in named:
            records.append({"kind": "blob", "name": path, "size": os.lstat(path).st_size})
    return records


def delete(records, read):
    stale = {record["name"] for record in records if record["kind"] == "row"}
    for shelf, table in read:
        if stale & set(table):
            lock_table.write(shelf.lock, {key: row for key, row in table.items() if key not in stale})
    for record in records:
        if record["kind"] == "blob":
            os.unlink(record["name"])


def text(records, deleted):
    for record in records:
        yield "%-4s  %9s  %s" % (record["kind"], size_text(record["size"]), record["name"])
    blobs = [record["size"] for record in records if record["kind"] == "blob"]
    rows = len(records) - len(blobs)
    summary = "%d rows of no case, %d blobs of no row (%s)" % (rows, len(blobs), size_text(sum(blobs)))
    if not records:
        yield summary
    else:
        yield summary + (": deleted" if deleted else "; --delete removes them")
