"""Which files of the tree a run of //tools:lint or //tools:format looks at.

    chosen = source_files.choose(root, here, named=["defs"], everything=False)
    chosen.cpp, chosen.python, chosen.shell     # sorted paths relative to the root
    chosen.what                                 # "as named", "changed since 0123456789ab", "of the whole tree"

Without a word it is what differs from the commit at which this branch left origin's, and from HEAD where there is no
origin: commits of the branch, the working tree, and files that git does not know yet. Files that git ignores never count.
"""

import os
from typing import NamedTuple

from tools.processes.command import SurroundingsError, UsageError, run

_CPP = (".cc", ".cu", ".h")
_DIGITS = 12


class Chosen(NamedTuple):
    cpp: list
    python: list
    shell: list
    what: str

    def empty(self):
        return not (self.cpp or self.python or self.shell)


def _git(root, *words):
    done = run(["git", "-C", root, *words], root)
    if done.code:
        raise SurroundingsError("git says: %s\nWithout git, name the files." % done.errors.strip())
    return done.out


def _paths(root, *words):
    return [path for path in _git(root, *words).split("\0") if path]


def _base(root):
    """The commit that changes are counted from; "" before the first commit."""
    for commit in ("origin/HEAD", "HEAD"):
        done = run(["git", "-C", root, "merge-base", "HEAD", commit], root)
        if not done.code:
            return done.out.strip()
    return ""


def _is_shell(root, path):
    if path.endswith(".sh"):
        return True
    if "." in os.path.basename(path):
        return False
    with open(os.path.join(root, path), "rb") as f:
        words = f.readline(100).split()
    return bool(words) and words[0].startswith(b"#!") and os.path.basename(words[-1]) in (b"sh", b"bash")


def _sorted_by_kind(root, paths, what):
    real = [p for p in sorted(set(paths)) if os.path.isfile(os.path.join(root, p)) and not os.path.islink(os.path.join(root, p))]
    return Chosen(
        [p for p in real if p.endswith(_CPP)],
        [p for p in real if p.endswith(".py")],
        [p for p in real if _is_shell(root, p)],
        what,
    )


def _below(root, folder):
    return _paths(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", folder)


def _named(root, here, names):
    paths = []
    for name in names:
        full = os.path.realpath(os.path.join(here, name))
        inside = os.path.relpath(full, os.path.realpath(root))
        if not os.path.exists(full):
            raise SurroundingsError("%s is not there" % name)
        if inside == ".." or inside.startswith("../"):
            raise UsageError("%s is not in the tree at %s" % (name, root))
        paths += _below(root, inside) if os.path.isdir(full) else [inside]
    chosen = _sorted_by_kind(root, paths, "as named")
    if chosen.empty():
        raise UsageError("%s: no C++, Python or shell file" % " ".join(names))
    return chosen


def choose(root, here, named, everything):
    """The files of a run.

    Args:
      root: of the tree.
      here: where the user stands; names are relative to it.
      named: files and folders of the command line.
      everything: the whole tree.
    """
    if named:
        return _named(root, here, named)
    if everything:
        return _sorted_by_kind(root, _below(root, "."), "of the whole tree")
    base = _base(root)
    if not base:
        return _sorted_by_kind(root, _below(root, "."), "of a tree without commits")
    changed = _paths(root, "diff", "-z", "--name-only", "--no-renames", base, "--")
    new = _paths(root, "ls-files", "-z", "--others", "--exclude-standard")
    return _sorted_by_kind(root, changed + new, "changed since " + base[:_DIGITS])
