"""Finds committed blobs: in the tree, among the staged ones, else in ASSAY_BUCKET through its cache (artifacts/fetch).

Whatever the place, bytes with another digest than the lock's count as not found.

    blobs = committed.Blobs(folder, parse_sources(os.environ.get("ASSAY_BUCKET", ""), base), BlobCache(…))
    data = blobs.read(row)      # or None; blobs.complaints then says why
"""

import os

from artifacts.fetch import fetch
from artifacts.fetch.digest import sha256_of
from artifacts.fetch.errors import FetchError
from artifacts.format import lock_table


def local_folder(artifacts, row):
    """The folder of a row's blob that is made here."""
    return os.path.join(artifacts, "blobs" if row.store == lock_table.EMBEDDED else "staged")


def is_blob(path, row):
    """Whether the file is there with the row's digest."""
    return os.path.isfile(path) and os.path.getsize(path) == row.size and digest_of(path) == row.sha256


def digest_of(path):
    with open(path, "rb") as f:
        return sha256_of(f)


class Blobs:
    """The blobs that the lock of one artifacts folder names. `settings`: of artifacts.fetch, None for its own."""

    def __init__(self, folder, sources, cache, settings=None):
        self._folders = [os.path.join(folder, "blobs"), os.path.join(folder, "staged")]
        self._sources, self._cache = sources, cache
        self._settings = settings or fetch.Settings()
        self.complaints = []  # why a blob could not be read, for the user

    def path(self, row):
        """The path of the blob's checked file, or None."""
        for folder in self._folders:
            path = os.path.join(folder, row.object_name)
            if is_blob(path, row):
                return path
            if os.path.exists(path):
                self.complaints.append("%s: sha256 or size is not the lock's (%s)" % (path, row.sha256))
        return self._fetched(row) if self._sources else None

    def read(self, row):
        """The blob's bytes, or None."""
        path = self.path(row)
        if path is None:
            return None
        with open(path, "rb") as f:
            return f.read()

    def _fetched(self, row):
        blob = fetch.Blob(row.sha256, row.size, row.object_name)
        try:
            return fetch.fetch(blob, self._sources, self._cache, self._settings)
        except FetchError as error:
            self.complaints.append(str(error))
            return None
