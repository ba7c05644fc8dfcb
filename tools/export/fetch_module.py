"""Fetches the exported file of a model that a package's lock has; what benchmarks/backends/module_file.cc runs.

    python3 tools/export/fetch_module.py --lock=benchmarks/resnet/lock.bzl --digest=9f3c… --format=aoti --out=FILE

The digest is of what the file depends on. Bazel fetches, so that ASSAY_BUCKET holds as for references, wherever it is set. Needs
Python's own library alone. Exit codes: 0 FILE is there, whole; 2 no source has the file; 3 usage; 4 the lock has no such row.
"""

import argparse
import glob
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # it is run from the source tree
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path[0] = _ROOT

# pylint: disable=wrong-import-position
from artifacts.format import atomic_file, lock_table


class Unavailable(Exception):
    """No source has the file; the message is for a person."""


def _bazel(root, *words):
    """Standard output of Bazel."""
    command = [os.path.join(root, "tools", "bazel"), *words]
    done = subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise Unavailable(done.stderr.strip())
    return done.stdout.strip()


def fetched(row, root):
    """The path of the file, whose digest Bazel has checked."""
    _bazel(root, "build", "--noshow_progress", "@assay_blobs//:" + row.sha256)
    external = os.path.join(_bazel(root, "info", "output_base"), "external")
    # In modules the repository's name begins otherwise.
    found = glob.glob(os.path.join(glob.escape(external), "*blob_" + row.sha256[:16], row.object_name))
    if not found:
        raise Unavailable("Bazel has fetched %s, and it is not below %s" % (row.object_name, external))
    return found[0]


def main(arguments, root):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.error = lambda message: parser.exit(3, "fetch_module: %s\n" % message)
    parser.add_argument("--lock", required=True)
    parser.add_argument("--digest", required=True)
    parser.add_argument("--format", required=True, choices=sorted(lock_table.EXPORTED))
    parser.add_argument("--out", required=True)
    flags = parser.parse_args(arguments)
    try:
        row = lock_table.find_exported(lock_table.read(os.path.join(root, flags.lock)), flags.digest, flags.format)
        if row is None:
            return 4
        with open(fetched(row, root), "rb") as module, atomic_file.opened(flags.out) as out:
            shutil.copyfileobj(module, out)
    except (Unavailable, lock_table.LockError, OSError) as error:
        print("fetch_module: %s" % error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], _ROOT))
