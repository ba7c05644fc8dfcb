"""Puts blobs into folders under the names they have in a bucket; whatever ends the program, none is half-written.

    stage.put(os.path.join(artifacts, "staged"), row, path)      # True if that changed the folder

A file that already has the row's digest is left alone, so that repeating a run touches nothing. One that has not is
damaged, because its name is a digest, and is written again.
"""

import glob
import os
import shutil

from artifacts.format import atomic_file
from tools.artifacts.generate import committed


def put(folder, row, source):
    """Copies the blob at `source` into `folder`; False where it is there already."""
    path = os.path.join(folder, row.object_name)
    if committed.is_blob(path, row):
        return False
    os.makedirs(folder, exist_ok=True)
    sweep(folder, row.object_name)
    with open(source, "rb") as reader, atomic_file.opened(path) as writer:
        shutil.copyfileobj(reader, writer, 1 << 20)
    return True


def sweep(folder, name="*"):
    """Removes what a killed run left of a blob. Only under workspace.locked(), or for a name of one's own."""
    for path in glob.glob(os.path.join(glob.escape(folder), "%s%s*" % (name, atomic_file.TEMPORARY))):
        os.unlink(path)

