"""For tests: an artifacts folder with a lock and blobs, and the upload program run on it in this process."""

import contextlib
import hashlib
import io
import os
from typing import NamedTuple

from artifacts.format import lock_table
from tools.artifacts.upload import program
from tools.artifacts.upload.local_blobs import Item


class Ran(NamedTuple):
    code: int
    out: str
    err: str


class Tree:
    """An artifacts folder; `blobs` maps keys to data. Those of keys "staged…" are in staged/, others in blobs/."""

    def __init__(self, folder, blobs):
        self.folder = folder
        self.rows = {}
        for key, data in blobs.items():
            store = lock_table.BUCKET if key.startswith("staged") else lock_table.EMBEDDED
            row = lock_table.Row(hashlib.sha256(data).hexdigest(), len(data), store, "a test")
            self.rows[key] = row
            write(self.path(key), data)
        lock_table.write(os.path.join(folder, "lock.bzl"), self.rows)

    def path(self, key):
        part = "staged" if self.rows[key].store == lock_table.BUCKET else "blobs"
        return os.path.join(self.folder, part, self.rows[key].object_name)

    def name(self, key):
        return self.rows[key].object_name

    def upload(self, bucket, *flags, **environment):
        """Runs the program as in a test under Bazel."""
        err, out = io.StringIO(), io.StringIO()
        argv = ["--artifacts=" + self.folder, "--bucket=" + bucket] + list(flags)
        with contextlib.redirect_stderr(err):
            code = program.main(argv, dict({"TEST_TMPDIR": self.folder}, **environment), out)
        return Ran(code, out.getvalue(), err.getvalue())


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def item(path, data, name="object"):
    """An Item of a file with this data, which is written; the name need not be the digest."""
    write(path, data)
    return Item(name, len(data), hashlib.sha256(data).hexdigest(), path, ("key",))
