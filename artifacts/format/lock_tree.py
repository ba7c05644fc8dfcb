"""Finds the lock of each package with benchmark cases, and the store of its blobs.

    tree = lock_tree.of_workspace(root, lock_tree.packages_of(root))
    tree.shelf("//benchmarks/mlp")        # benchmarks/mlp/lock.bzl; its blobs are in artifacts/, the house's store
    tree.shelf("//theirs/x")              # theirs/x/lock.bzl; its blobs are in theirs/x/
    tree = lock_tree.of_folder(folder)    # one folder with one lock and one store in place of all of them

A store has blobs/ (in git) and staged/ (for a bucket). tools/deps/families.bzl and artifacts/repositories.bzl follow the
same rule. Reads and writes no lock but by lock_table.
"""

import os
import subprocess
from typing import NamedTuple

from artifacts.format import lock_table
from artifacts.format.lock_syntax import LockError

_HOUSE = "benchmarks/"
_FIND = os.path.join("tools", "deps", "find_families.sh")


class Shelf(NamedTuple):
    lock: str  # path of lock.bzl
    store: str  # folder with blobs/ and staged/

    @property
    def folders(self):
        return [os.path.join(self.store, name) for name in ("blobs", "staged")]

    def read(self):
        """The rows; none where there is no lock yet."""
        return lock_table.read(self.lock) if os.path.exists(self.lock) else {}


class Tree:
    def __init__(self, shelf_of, shelves):
        self._shelf_of, self._shelves = shelf_of, shelves

    def shelf(self, package):
        return self._shelf_of(package.lstrip("/"))

    def shelves(self):
        """The shelves of all packages, each once."""
        return list(self._shelves)

    def stores(self):
        return list(dict.fromkeys(shelf.store for shelf in self._shelves))

    def read(self):
        """[(shelf, table)] of the locks that there are; LockError where two have one key."""
        read = [(shelf, shelf.read()) for shelf in self._shelves]
        owners = {}
        for shelf, table in read:
            for key in table:
                other = owners.setdefault(key, shelf.lock)
                if other != shelf.lock:
                    raise LockError('%s and %s both have a row "%s"; a key belongs to one package' % (other, shelf.lock, key))
        return read


def of_folder(folder):
    shelf = Shelf(os.path.join(folder, "lock.bzl"), folder)
    return Tree(lambda package: shelf, [shelf])


def of_workspace(root, packages):
    def shelf_of(package):
        if package.startswith("@"):
            raise LockError("%s lies in another repository; its references are made and kept there" % package)
        store = "artifacts" if package.startswith(_HOUSE) else package
        return Shelf(os.path.join(root, package, "lock.bzl"), os.path.join(root, store))

    return Tree(shelf_of, [shelf_of(package) for package in sorted(packages)])


def packages_of(root):
    """The packages of a workspace that call benchmarks()."""
    found = subprocess.run(["sh", os.path.join(root, _FIND), root], capture_output=True, text=True, check=False)
    if found.returncode:
        raise LockError("%s: %s" % (_FIND, found.stderr.strip() or "exit code %d" % found.returncode))
    return found.stdout.split("\n")[:-1]


def merged(read):
    """All rows of the result of Tree.read()."""
    return {key: row for _, table in read for key, row in table.items()}
