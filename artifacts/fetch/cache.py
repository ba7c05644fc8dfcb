"""The cache of fetched blobs: one file for each blob, named as in a bucket, used only after its digest was checked.

    cache = BlobCache(default_cache_folder(os.environ))
    path = cache.get(blob, fill)          # fill(partial) writes the bytes and calls partial.check()

Promises: a file with a blob's name is whole or not there (temporary file, fsync, rename, fsync of the folder); many
processes that want one blob fill it once (flock, which dies with its owner); a rotted or unreadable file is set aside
and filled again; a killed process's leftovers go at the next fill; no symbolic link is followed; what else the
operating system refuses is one CacheFailed. The folder also serves as an ASSAY_BUCKET. Not for blobs that are made
here: those are staged by //tools:generate_artifacts.
"""

import contextlib
import errno
import fcntl
import os
import re
import stat
import tempfile

from artifacts.fetch.digest import sha256_of
from artifacts.fetch.errors import EXHAUSTED, CacheFailed
from artifacts.fetch.partial_blob import PartialBlob
from artifacts.fetch.settings import Deadline, Settings
from artifacts.fetch.sources import SourceError

_LEFTOVER = re.compile(r"\.([0-9a-f]{64})\.[0-9]+\.tmp")
_FILE = os.O_CLOEXEC | os.O_NOFOLLOW
_POLL_SECONDS = 0.05


def default_cache_folder(environ):
    """ASSAY_CACHE, else XDG_CACHE_HOME/assay/blobs, else ~/.cache/assay/blobs; SourceError where none is absolute.

    Whoever fetches works in a folder of its own (Bazel: one for each repository): a relative cache would be many.
    """
    chosen = environ.get("ASSAY_CACHE")
    home = environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(home):
        home = os.path.join(environ.get("HOME") or os.path.expanduser("~"), ".cache")
    folder = chosen or os.path.join(home, "assay", "blobs")
    if not os.path.isabs(folder):
        why = "ASSAY_CACHE=%s" % chosen if chosen else "ASSAY_CACHE is not set and there is no home folder"
        raise SourceError("%s: want an absolute path of a folder for fetched blobs" % why)
    return folder


class BlobCache:
    """Blobs in `folder`; where that can't be trusted or written, in `scratch` (else a new private folder), said once.

    user and write are seams for tests: whose the folder must be, and os.write.
    """

    def __init__(self, folder, scratch="", settings=Settings(), user=None, write=os.write):
        self.folder = os.path.abspath(folder)
        self._scratch, self._settings, self._write = scratch, settings, write
        self._user = os.geteuid() if user is None else user
        self._descriptor = None

    def get(self, blob, fill):
        """The path of the checked blob; calls fill(PartialBlob) if it is not here."""
        self.open()
        with _told(self.folder):
            if not self._is_good(blob):
                with self._lock(blob.sha256, 2 * self._settings.deadline_for(blob.size)):  # its owner has one of them
                    if not self._is_good(blob):  # another process may have filled it while this one waited
                        self._set_aside(blob.name, blob)
                        self._sweep(blob)
                        self._fill(blob, fill)
        return os.path.join(self.folder, blob.name)

    def open(self):
        """The folder's descriptor, for small files beside the blobs."""
        if self._descriptor is None:
            try:
                self._descriptor = _open_folder(self.folder, self._user)
            except CacheFailed as error:
                with _told(self.folder):
                    private = self._scratch or tempfile.mkdtemp(prefix="assay-blobs-")
                self._settings.report("assay: %s; keeping this blob in %s" % (error, private))
                self.folder = os.path.abspath(private)
                self._descriptor = _open_folder(self.folder, os.geteuid())
        return self._descriptor

    def _is_good(self, blob):
        """Whether the blob is here and can be read."""
        try:
            file = os.open(blob.name, os.O_RDONLY | os.O_NONBLOCK | _FILE, dir_fd=self._descriptor)
            try:
                about = os.fstat(file)
                if not stat.S_ISREG(about.st_mode) or about.st_size != blob.size:
                    return False
                with open(file, "rb", closefd=False) as f:
                    return sha256_of(f) == blob.sha256
            finally:
                os.close(file)
        except OSError as error:
            if error.errno in EXHAUSTED:
                raise
            return False

    def _fill(self, blob, fill):
        name = ".%s.%d.tmp" % (blob.sha256, os.getpid())
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | _FILE
        create = lambda: os.open(name, flags, 0o600, dir_fd=self._descriptor)
        partial = PartialBlob(blob, self.folder, create, lambda: self._set_aside(name, blob), self._write)
        try:
            fill(partial)
            partial.check()
            os.rename(name, blob.name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
            os.fsync(self._descriptor)
        finally:
            partial.close()
            self._unlink(name)

    def _set_aside(self, name, blob):
        """Sets a wrong file aside for inspection, only the latest of each blob. If that fails, a right one may still
        replace it."""
        kept = ".bad-" + blob.sha256[:8]
        with contextlib.suppress(OSError):
            os.rename(name, kept, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
            self._settings.report("assay: wrong bytes kept in %s" % os.path.join(self.folder, kept))

    def _sweep(self, blob):
        """Removes temporary files of which no process holds the lock: their owners are dead."""
        for name in os.listdir(self._descriptor):
            match = _LEFTOVER.fullmatch(name)
            if match and match.group(1) == blob.sha256:
                self._unlink(name)
            elif match:
                with contextlib.suppress(CacheFailed, OSError), self._lock(match.group(1), 0):
                    self._unlink(name)

    def _unlink(self, name):
        with contextlib.suppress(OSError):  # what can't be removed is a leftover, and in nobody's way
            os.unlink(name, dir_fd=self._descriptor)

    @contextlib.contextmanager
    def _lock(self, sha256, seconds):
        """Holds the lock of one blob. The file goes with it: whoever locked a removed file tries again."""
        name = ".%s.lock" % sha256
        deadline = Deadline(self._settings.clock, seconds)
        while True:
            file = self._try_lock(name)
            if file is not None:
                break
            if deadline.left() <= 0:
                raise CacheFailed("%s: another process has held %s for %.0f s; end it" % (self.folder, name, seconds))
            self._settings.sleep(_POLL_SECONDS)
        try:
            yield
        finally:
            self._unlink(name)
            os.close(file)

    def _try_lock(self, name):
        file = os.open(name, os.O_RDWR | os.O_CREAT | _FILE, 0o600, dir_fd=self._descriptor)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file), os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)):
                return file
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES, errno.ENOENT):
                os.close(file)
                raise
        os.close(file)
        return None


@contextlib.contextmanager
def _told(folder):
    """Translates the operating system's errors about a cache's folder or a file in it."""
    try:
        yield
    except OSError as error:
        name = error.filename2 or error.filename
        why = "is a symbolic link" if os.path.islink(folder) else error.strerror or str(error)
        raise _unusable(folder, "%s: %s" % (name, why) if isinstance(name, str) and name != folder else why) from None


def _unusable(folder, why):
    return CacheFailed("the cache %s can't be used: %s (ASSAY_CACHE names another)" % (folder, why))


def _open_folder(folder, user):
    """A descriptor of the folder, made where it is missing; CacheFailed where it is not safely ours."""
    with _told(folder):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _FILE)
    about = os.fstat(descriptor)
    why = ""
    if about.st_uid != user:
        why = "it belongs to user %d, not to %d" % (about.st_uid, user)
    elif about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        why = "others than its owner may write there (chmod go-w)"
    elif not os.access(".", os.W_OK | os.X_OK, dir_fd=descriptor, effective_ids=os.access in os.supports_effective_ids):
        why = "it is read-only"
    if why:
        os.close(descriptor)
        raise _unusable(folder, why)
    return descriptor
