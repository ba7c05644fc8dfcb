"""Gathers the locks of every package with benchmark cases for @assay_families (tools/deps/families.bzl).

  python3 -m artifacts.gather_locks ROOT OUT_FOLDER PACKAGE...

Writes OUT_FOLDER/locks.bzl (LOCKS: package -> key -> row; LOCK_PROBLEMS) and locks.json, the same with every field, and
prints the packages that have a lock. A lock that cannot be read is a problem and leaves the others whole,
so that one package cannot break another; //artifacts:lock_test fails on problems. Needs no packages, fetches nothing.
"""

import json
import os
import sys

from artifacts.format import lock_table

_IN_BZL = ("sha256", "size", "store", "role")  # plain letters and digits, whatever the lock holds
_HEAD = '"""Rows of every lock.bzl of this tree, and what is wrong with some."""\n\n'


def gather(root, packages):
    """({package: table}, problems, packages that have a lock)."""
    tables, problems, watched = {}, [], []
    for package in packages:
        path = os.path.join(root, package, "lock.bzl")
        if not os.path.lexists(path):
            continue
        try:
            if not os.path.isfile(path):
                raise lock_table.LockError("%s/lock.bzl: not a file" % package)
            watched.append(package)
            tables[package] = lock_table.read(path)
        except (lock_table.LockError, OSError) as error:
            problems.append("//%s: %s" % (package, str(error).replace(root + os.sep, "")))
    return tables, problems + clashes(tables), watched


def clashes(tables):
    """Finds contradictions between two packages' rows; removes a row that would take another's repository."""
    problems, owners, blobs, names = [], {}, {}, {}
    for package, table in sorted(tables.items()):
        for key, row in sorted(table.items()):
            other = owners.setdefault(key, package)
            if other != package:
                text = '//%s and //%s both have a row "%s" in their lock.bzl; a key belongs to one package'
                problems.append(text % (other, package, key))
            known, its_package = blobs.setdefault(row.sha256, (row, package))
            if (known.size, known.object_name) != (row.size, row.object_name):
                text = '//%s: row "%s" says that %s… is %s of %d bytes, //%s that it is %s of %d'
                kinds = [r.object_name.rpartition(".")[2] for r in (row, known)]
                problems.append(text % (package, key, row.sha256[:8], kinds[0], row.size, its_package, kinds[1], known.size))
                del table[key]
                continue
            digest, its_package = names.setdefault(row.sha256[:16], (row.sha256, package))
            if digest != row.sha256:
                text = '//%s: row "%s": its digest and one of //%s begin with the same 16 digits, %s'
                problems.append(text % (package, key, its_package, digest[:16]))
                del table[key]
    return problems


def _fields(row, names):
    return {name: getattr(row, name) for name in names}


def _write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def _quoted(text):
    """Any text as a Starlark string."""
    text = text.replace('"', "'")
    return '"%s"' % "".join(c if c.isascii() and c.isprintable() and c != "\\" else "?" for c in text)


def main(root, out, *packages):
    tables, problems, watched = gather(root, packages)
    rows = {p: {k: _fields(r, _IN_BZL) for k, r in sorted(t.items())} for p, t in sorted(tables.items())}
    listed = "[%s]" % ", ".join(_quoted(problem) for problem in problems)
    _write(os.path.join(out, "locks.bzl"), "%sLOCKS = %s\nLOCK_PROBLEMS = %s\n" % (_HEAD, json.dumps(rows, indent=1), listed))
    full = {p: {k: r._asdict() for k, r in sorted(t.items())} for p, t in sorted(tables.items())}
    _write(os.path.join(out, "locks.json"), json.dumps({"locks": full, "problems": problems}))
    for problem in problems:
        print(_quoted(problem)[1:-1], file=sys.stderr)
    print("\n".join(watched))


if __name__ == "__main__":
    main(*sys.argv[1:])
