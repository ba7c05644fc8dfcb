"""Whether a change of the source changed what the compiler made of it.

    before = object_files.digests(folder)
    ...                                     # a mutant, built
    object_files.changed(folder, before, since=begin)
                     # False: no object file that was made since differs, so no test can see the mutant
"""

import hashlib
import os


def digests(folder, since=0):
    """{path: digest} of the object files made since a time, in Bazel's bin folder."""
    return {path: _digest(path) for path in _paths(folder) if os.stat(path).st_mtime >= since}


def changed(folder, before, since):
    return any(before.get(path) != digest for path, digest in digests(folder, since).items())


def _paths(bin_folder):
    for top in ("models", "benchmarks"):
        for folder, _, names in os.walk(os.path.join(bin_folder, top)):
            if "/_objs/" in folder + "/":
                yield from (os.path.join(folder, name) for name in names if name.endswith(".o"))


def _digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).digest()
