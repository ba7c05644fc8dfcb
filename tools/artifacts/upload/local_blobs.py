"""Which objects an upload sends: the lock's rows, and the local file that holds each.

    table = lock_table.read("benchmarks/resnet/lock.bzl")
    items, missing, complaints = collect(table, "^resnet", ["artifacts/blobs", "artifacts/staged"])

A file counts only if it is a plain one (no link) with the lock's size and sha256. Sends nothing.
"""

import errno
import os
import re
import stat
from typing import NamedTuple

from artifacts.fetch.digest import sha256_of


class Item(NamedTuple):
    """One object to be."""

    name: str  # of the object
    size: int  # bytes
    sha256: str
    path: str  # of the local file
    keys: tuple  # the lock's rows that it serves


class Missing(NamedTuple):
    """A blob of the lock that no folder holds."""

    name: str
    size: int
    keys: tuple


class BlobError(Exception):
    """A local file is not what the lock says; the message names both."""


def collect(table, key_pattern, folders):
    """(items, missing, complaints): every blob of the rows that the pattern finds, in the order of keys.

    A complaint names a file that is there under a blob's name and isn't that blob. It matters also where another folder
    has the right one: somebody's files are rotten.
    """
    blobs = {}
    for key, row in sorted(table.items()):
        if re.search(key_pattern, key):
            blobs.setdefault(row.object_name, (row, []))[1].append(key)
    items, missing, complaints = [], [], []
    for name, (row, keys) in blobs.items():
        item = None
        for folder in folders:
            path = os.path.join(folder, name)
            try:
                item = item or (Item(name, row.size, row.sha256, path, tuple(keys)) if _holds(path, row) else None)
            except BlobError as error:
                complaints.append(str(error))
        if item:
            items.append(item)
        else:
            missing.append(Missing(name, row.size, tuple(keys)))
    return items, missing, complaints


def _holds(path, row):
    """Whether the file is there; BlobError where something else is."""
    try:
        with open_plain(path) as f:
            check_file(f, row)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise BlobError("%s: %s" % (path, error.strerror)) from None
    return True


def open_plain(path, folder=None):
    """The file, open for reading; BlobError where it is a link, a folder or a device. `folder`: a descriptor."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise BlobError("%s is a symbolic link; a blob must be a plain file" % path) from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BlobError("%s is not a plain file" % path)
    return open(path, "rb", opener=lambda *_: descriptor)


def check(path, size, digest, item):
    """BlobError unless size and sha256 are those of `item` (an Item or a row of the lock)."""
    if size != item.size:
        raise BlobError("%s: %d bytes, the lock says %d" % (path, size, item.size))
    if digest != item.sha256:
        raise BlobError("%s: sha256 is %s, the lock says %s" % (path, digest, item.sha256))


def check_file(f, item):
    """As check(), for an open file; leaves it at its end."""
    digest = sha256_of(f)
    check(f.name, f.tell(), digest, item)
