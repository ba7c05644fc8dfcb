"""Writes files that appear whole or not at all, also after a power cut: temporary file beside it, fsync, rename, fsync
of the folder.

    atomic_file.write(path, data)                   replaces what is there
    with atomic_file.opened(path) as f: ...         the same in pieces; an exception leaves `path` as it was
    atomic_file.place(made, path)                   the same for a file that another library has written beside it

A killed process leaves <path>.tmp.<process>: TEMPORARY tells such names. Not for files that must never be replaced
(upload/folder_bucket.py links instead).
"""

import contextlib
import os

TEMPORARY = ".tmp."


@contextlib.contextmanager
def opened(path):
    """A binary file to write to; it takes the name `path` when the block ends well."""
    temporary = "%s%s%d" % (path, TEMPORARY, os.getpid())
    try:
        with open(temporary, "wb") as f:
            yield f
        place(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def place(made, path):
    """Gives a file that is written and closed, on the same file system, its name."""
    with open(made, "rb") as f:
        os.fsync(f.fileno())
    os.replace(made, path)
    folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write(path, data):
    with opened(path) as f:
        f.write(data)
