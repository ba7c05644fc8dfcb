"""The blobs that the lock pins, and where each is: in the tree, staged, in the cache, or at one of the sources.

    inventory = Holdings(tree.read(), sources, cache_folder)
    inventory.place(row)         # "tree", "staged", "cache", "bucket", or "nowhere" where no source is set
"""

import os
from typing import NamedTuple

from artifacts.format import lock_table

TREE, STAGED, CACHE, BUCKET, NOWHERE = "tree", "staged", "cache", "bucket", "nowhere"


class Blob(NamedTuple):
    """A pinned object and the rows that name it."""

    row: lock_table.Row
    keys: tuple


def blobs(table):
    """The distinct blobs of a lock, in the order of their first key."""
    keys = {}
    for key, row in sorted(table.items()):
        keys.setdefault(row.object_name, []).append(key)
    return [Blob(table[names[0]], tuple(names)) for names in keys.values()]


class Holdings:
    """`read`: lock_tree.Tree.read()."""

    def __init__(self, read, sources, cache_folder):
        self._stores = {}  # object name -> stores of the packages whose rows name it
        for shelf, table in read:
            for row in table.values():
                stores = self._stores.setdefault(row.object_name, [])
                if shelf.store not in stores:
                    stores.append(shelf.store)
        self.sources = sources
        self._cache_folder = cache_folder

    def local_path(self, place, row):
        """The path of the blob, whether it is there or not."""
        folder = {TREE: "blobs", STAGED: "staged"}[place]
        paths = [os.path.join(store, folder, row.object_name) for store in self._stores[row.object_name]]
        return next((path for path in paths if os.path.lexists(path)), paths[0])

    def place(self, row):
        """The place from which the blob would come, by its name alone: no file is read and no source is contacted."""
        for place in (TREE, STAGED):
            if os.path.isfile(self.local_path(place, row)):
                return place
        if not self.sources:
            return NOWHERE
        return CACHE if os.path.isfile(os.path.join(self._cache_folder, row.object_name)) else BUCKET
