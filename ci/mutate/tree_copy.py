"""A copy of a working tree for mutants to be built in, so that the tree itself is never written to.

    copy = TreeCopy(root, folder)
    copy.refresh()                    # the files that git knows or would add, as they are now, with what is not committed
    copy.write(path, data)            # a mutant
    copy.restore(path)

A run that was killed leaves its mutant in the copy only; the next refresh() undoes it. Files that are the same stay as they are,
so Bazel's server for the copy remains warm. Not for a tree without git: what belongs to it cannot be told.
"""

import fcntl
import hashlib
import os
import re
import shutil

from tools.processes.command import SurroundingsError, run

_NO_MATTER = re.compile(r"^ci/mutate/|\.md$")  # whoever writes down what was found goes on with it
_RC_OF_USER = "user.bazelrc"  # git ignores it, and Bazel reads it: disk caches, other output folders


def _git(root, *words):
    done = run(["git", "-C", root, *words], root)
    if done.code:
        raise SurroundingsError("git says: %s" % done.errors.strip())
    return done.out


def commit(root):
    """The short commit, with "+changes" where the tree differs from it."""
    changed = _git(root, "status", "--porcelain")
    return _git(root, "rev-parse", "--short=12", "HEAD").strip() + ("+changes" if changed.strip() else "")


def _paths_of(root):
    listed = _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    paths = {path for path in listed if path and os.path.lexists(os.path.join(root, path))}
    return sorted(paths | ({_RC_OF_USER} if os.path.exists(os.path.join(root, _RC_OF_USER)) else set()))


class TreeCopy:
    def __init__(self, root, folder):
        self._from, self.root = root, folder
        self._before = {}  # path -> content of a file that write() changed

    def refresh(self):
        """Makes the copy equal to the tree; a digest of all files that a verdict may depend on."""
        digest = hashlib.sha256()
        paths = _paths_of(self._from)
        self._remove_others(set(paths))
        for path in paths:
            self._take(path)
            if not _NO_MATTER.search(path):
                digest.update(("%s\0" % path).encode() + self._content(path))
        return digest.hexdigest()

    def has_disk_cache(self):
        """Whether the user's rc file of the tree says where Bazel shares what it builds."""
        path = os.path.join(self.root, _RC_OF_USER)
        return os.path.exists(path) and b"--disk_cache" in self.read(_RC_OF_USER)

    def read(self, path):
        with open(os.path.join(self.root, path), "rb") as f:
            return f.read()

    def write(self, path, data):
        self._before.setdefault(path, self.read(path))
        self._put(path, data)

    def restore(self, path):
        """Undoes write(). What the tree has by now is no matter: verdicts are of the tree that refresh() took."""
        self._put(path, self._before.pop(path))

    def _put(self, path, data):
        with open(os.path.join(self.root, path), "wb") as f:
            f.write(data)

    def _content(self, path):
        full = os.path.join(self.root, path)
        if os.path.islink(full):
            return os.readlink(full).encode()
        return hashlib.sha256(self.read(path)).digest()

    def _take(self, path):
        old, new = os.path.join(self._from, path), os.path.join(self.root, path)
        if _same(old, new):
            return
        if os.path.isdir(new) and not os.path.islink(new):
            shutil.rmtree(new)
        elif os.path.lexists(new):
            os.remove(new)
        os.makedirs(os.path.dirname(new), exist_ok=True)
        shutil.copy(old, new, follow_symlinks=False)  # today's time of change: Bazel looks at it

    def _remove_others(self, wanted):
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if not name.startswith("bazel-")]
            for name in names + [name for name in folders if os.path.islink(os.path.join(folder, name))]:
                path = os.path.relpath(os.path.join(folder, name), self.root)
                if path not in wanted and not path.startswith("bazel-"):
                    os.remove(os.path.join(self.root, path))


def _same(old, new):
    if os.path.islink(old) or os.path.islink(new):
        return os.path.islink(old) and os.path.islink(new) and os.readlink(old) == os.readlink(new)
    if not os.path.isfile(new) or os.stat(old).st_mode != os.stat(new).st_mode:
        return False
    with open(old, "rb") as a, open(new, "rb") as b:
        return a.read() == b.read()


class Lock:
    """Allows one run in a folder; a second one gets an error. The lock ends with the process that holds it, however
    that ends."""

    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self._file = open(os.path.join(folder, "lock"), "a+", encoding="utf-8")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.seek(0)
            holder = self._file.read().strip()
            self._file.close()
            raise SurroundingsError("another run works in %s: process %s" % (folder, holder)) from None
        self._file.truncate(0)
        self._file.write("%d\n" % os.getpid())
        self._file.flush()

    def release(self):
        self._file.close()
