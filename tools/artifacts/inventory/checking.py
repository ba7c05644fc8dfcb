"""`artifacts check`: is every pinned blob still readable, at each place that may hold it?

Files of this machine are read and hashed; of a web server or bucket only existence, permission and size are asked,
unless download is set or no size is said: then the bytes are fetched and hashed, too. A source that does not answer a
few times in a row is not asked about every other blob. Says what is there, repairs nothing.
"""

import collections
import concurrent.futures
import os
import tempfile
import threading

from artifacts.fetch import fetch
from artifacts.fetch.cache import BlobCache
from artifacts.fetch.errors import FetchError
from artifacts.format import lock_table
from tools.artifacts.generate import committed
from tools.artifacts.inventory import holdings, output

COLUMNS = ("object", "place", "state", "detail", "keys")
OK, MISSING, UNREACHABLE, UNKNOWN_SIZE = "ok", "missing", "unreachable", "unknown size"
DAMAGED, WRONG_SIZE = "wrong digest", "wrong size"
_WRONG = (DAMAGED, WRONG_SIZE)
_GIVE_UP = 3  # unreachable answers in a row without one that is not
_SHOWN = 20


class Checker:
    """`settings`: of artifacts.fetch."""

    def __init__(self, places, settings, download=False, jobs=16):
        self._places, self._settings = places, settings
        self._download, self._jobs = download, jobs
        self._silent, self._mutex = collections.Counter(), threading.Lock()

    def check(self, blobs):
        """A record for each blob and place, in order; a blob that need not be at a place and is not has none there."""
        tasks = [(blob, place) for blob in blobs for place in (holdings.TREE, holdings.STAGED, *self._places.sources)]
        with concurrent.futures.ThreadPoolExecutor(max_workers=self._jobs) as pool:
            results = list(pool.map(lambda task: self._one(*task), tasks))
        return [
            {
                "object": blob.row.object_name,
                "place": place if isinstance(place, str) else place.text,
                "state": state,
                "detail": detail,
                "keys": list(blob.keys),
            }
            for (blob, place), (state, detail) in zip(tasks, results)
            if state
        ]

    def _one(self, blob, place):
        if isinstance(place, str):
            state, detail = _file(self._places.local_path(place, blob.row), blob.row)
            expected = place == holdings.TREE and blob.row.store == lock_table.EMBEDDED
            return ("", "") if state == MISSING and not expected else (state, detail)
        if place.is_folder:
            return _file(os.path.join(place.folder, blob.row.object_name), blob.row)
        return self._remote(blob.row, place)

    def _remote(self, row, source):
        with self._mutex:
            if self._silent[source] >= _GIVE_UP:
                return UNREACHABLE, "not asked, because it did not answer before"
        wanted = fetch.Blob(row.sha256, row.size, row.object_name)
        state, detail = fetch.probe(wanted, source, self._settings)
        with self._mutex:
            self._silent[source] = self._silent[source] + 1 if state == UNREACHABLE else -(1 << 30)
        is_fetched = state == UNKNOWN_SIZE or (state == OK and self._download)
        return self._downloaded(wanted, source) if is_fetched else (state, detail)

    def _downloaded(self, blob, source):
        quiet = self._settings._replace(report=lambda line: None)  # of wrong bytes kept where nothing will be
        with tempfile.TemporaryDirectory(prefix="assay_check_") as folder:
            try:
                fetch.fetch(blob, [source], BlobCache(os.path.join(folder, "blobs"), settings=quiet), quiet)
            except FetchError as error:
                return DAMAGED if error.outcome == "FAIL_ARTIFACT" else UNREACHABLE, str(error)
        return OK, "%d bytes fetched and hashed" % blob.size


def _file(path, row):
    """(state, detail) of a file of this machine."""
    try:
        size = os.path.getsize(path)
        if size != row.size:
            return WRONG_SIZE, "%s has %d bytes, the lock says %d" % (path, size, row.size)
        digest = committed.digest_of(path)
    except FileNotFoundError:
        return MISSING, ""
    except OSError as error:
        return UNREACHABLE, "%s: %s" % (path, error.strerror)
    return (OK, "hashed") if digest == row.sha256 else (DAMAGED, "%s has sha256 %s" % (path, digest))


def exit_code(records, everywhere=False):
    """1: wrong bytes somewhere; 2: a blob is readable nowhere, or with everywhere not at each place; 0: all is well."""
    readable = collections.defaultdict(bool)
    for record in records:
        readable[record["object"]] |= record["state"] == OK
    if any(record["state"] in _WRONG for record in records):
        return 1
    lost = not all(readable.values()) or (everywhere and any(record["state"] != OK for record in records))
    return 2 if lost else 0


def nowhere(records):
    """Objects that no place gives."""
    readable = {record["object"] for record in records if record["state"] == OK}
    return [name for name in dict.fromkeys(record["object"] for record in records) if name not in readable]


def with_the_lost(records, blobs):
    """The records, and one for each blob that has none because no place is to hold it."""
    known = {record["object"] for record in records}
    return records + [
        {
            "object": blob.row.object_name,
            "place": holdings.BUCKET,
            "state": MISSING,
            "detail": "not in this tree, and no source is set (ASSAY_BUCKET or --bucket)",
            "keys": list(blob.keys),
        }
        for blob in blobs
        if blob.row.object_name not in known
    ]


def _row(record):
    detail = record["detail"].split("\n")[0]
    return record["object"][:8], record["keys"][0], record["place"], record["state"], detail


def text(records):
    states = list(dict.fromkeys([OK] + [record["state"] for record in records]))
    counts = collections.defaultdict(collections.Counter)
    for record in records:
        counts[record["place"]][record["state"]] += 1
    head = ["place"] + [">" + state for state in states]
    yield from output.table(head, [[place] + [count[s] for s in states] for place, count in counts.items()])
    bad = [record for record in records if record["state"] != OK]
    # The worst first: lost blobs and wrong bytes, then what another place makes up for.
    lost = set(nowhere(records))
    bad.sort(key=lambda r: (r["object"] not in lost and r["state"] not in _WRONG))
    if bad:
        yield ""
        yield from output.table(("object", "first key", "place", "state", "detail"), [_row(r) for r in bad[:_SHOWN]])
    if len(bad) > _SHOWN:
        yield "… %d more; --format=csv shows all" % (len(bad) - _SHOWN)
    total = len({record["object"] for record in records})
    yield "%d blobs: %d readable somewhere, %d nowhere" % (total, total - len(lost), len(lost))
