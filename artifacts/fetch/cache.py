"""The cache of fetched blobs: one file a blob, named as in a bucket, believed only after its digest was computed.

    cache = BlobCache(default_cache_folder(os.environ))
    path = cache.get(blob, fill)          # fill(partial) writes the bytes and calls partial.check()

Promises: a file with a blob's name is whole or not there (temporary file, fsync, rename, fsync of the folder); many
processes that want one blob fill it once (flock, which dies with its owner); a rotted file is set aside and filled
again; a killed process's leftovers go at the next fill; no symbolic link is followed. The folder also serves as an
ASSAY_BUCKET. Not for blobs that are made here: those are staged by //tools:generate_artifacts.
"""

import contextlib
import errno
import fcntl
import os
import re
import stat
import tempfile

from artifacts.fetch.digest import sha256_of
from artifacts.fetch.errors import CacheFailed
from artifacts.fetch.partial_blob import PartialBlob
from artifacts.fetch.settings import Deadline, Settings

_LEFTOVER = re.compile(r"\.([0-9a-f]{64})\.[0-9]+\.tmp")
_FILE = os.O_CLOEXEC | os.O_NOFOLLOW
_POLL_SECONDS = 0.05


def default_cache_folder(environ):
    """ASSAY_CACHE, else XDG_CACHE_HOME/assay/blobs, else ~/.cache/assay/blobs."""
    if environ.get("ASSAY_CACHE"):
        return os.path.abspath(environ["ASSAY_CACHE"])
    home = environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(home):
        home = os.path.join(environ.get("HOME") or os.path.expanduser("~"), ".cache")
    return os.path.join(home, "assay", "blobs")


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
        self._open()
        if not self._is_good(blob):
            with self._lock(blob.sha256, 2 * self._settings.deadline_for(blob.size)):  # its owner has one of them
                if not self._is_good(blob):  # another process may have filled it while this one waited
                    self._set_aside(blob.name, blob)
                    self._sweep(blob)
                    self._fill(blob, fill)
        return os.path.join(self.folder, blob.name)

    def open(self):
        """The folder's descriptor, for small files beside the blobs."""
        self._open()
        return self._descriptor

    def _open(self):
        if self._descriptor is not None:
            return
        try:
            self._descriptor = _open_folder(self.folder, self._user)
        except CacheFailed as error:
            private = self._scratch or tempfile.mkdtemp(prefix="assay-blobs-")
            self._settings.report("assay: %s; keeping this blob in %s" % (error, private))
            self.folder = os.path.abspath(private)
            self._descriptor = _open_folder(self.folder, os.geteuid())

    def _is_good(self, blob):
        try:
            file = os.open(blob.name, os.O_RDONLY | os.O_NONBLOCK | _FILE, dir_fd=self._descriptor)
        except OSError:
            return False
        with open(file, "rb") as f:
            about = os.fstat(file)
            if not stat.S_ISREG(about.st_mode) or about.st_size != blob.size:
                return False
            return sha256_of(f) == blob.sha256

    def _fill(self, blob, fill):
        name = ".%s.%d.tmp" % (blob.sha256, os.getpid())
        partial = PartialBlob(
            blob, self.folder, lambda: self._create(name), lambda: self._set_aside(name, blob), self._write
        )
        try:
            fill(partial)
            partial.check()
            os.rename(name, blob.name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
            os.fsync(self._descriptor)
        except OSError as error:
            raise CacheFailed("%s: can't keep the blob: %s" % (self.folder, error.strerror)) from None
        finally:
            partial.close()
            self._unlink(name)

    def _create(self, name):
        try:
            return os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | _FILE, 0o600, dir_fd=self._descriptor)
        except OSError as error:
            raise CacheFailed("%s: can't make a file: %s" % (self.folder, error.strerror)) from None

    def _set_aside(self, name, blob):
        """Keeps a wrong file for a look; only the latest of each blob. A link is removed, whatever it points to."""
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISREG(os.lstat(name, dir_fd=self._descriptor).st_mode):
                kept = bad_name(blob)
                os.rename(name, kept, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
                self._settings.report("assay: wrong bytes kept in %s" % os.path.join(self.folder, kept))
                return
            try:
                os.unlink(name, dir_fd=self._descriptor)
            except OSError as error:
                where = os.path.join(self.folder, name)
                raise CacheFailed("%s: is in the blob's way: %s; remove it" % (where, error.strerror)) from None

    def _sweep(self, blob):
        """Removes temporary files of which no process holds the lock: their owners are dead."""
        for name in os.listdir(self._descriptor):
            match = _LEFTOVER.fullmatch(name)
            if match and match.group(1) == blob.sha256:
                self._unlink(name)
            elif match:
                with contextlib.suppress(CacheFailed), self._lock(match.group(1), 0):
                    self._unlink(name)

    def _unlink(self, name):
        with contextlib.suppress(FileNotFoundError):
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
        try:
            file = os.open(name, os.O_RDWR | os.O_CREAT | _FILE, 0o600, dir_fd=self._descriptor)
        except OSError as error:
            raise CacheFailed("%s: can't lock %s: %s" % (self.folder, name, error.strerror)) from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file), os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)):
                return file
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES, errno.ENOENT):
                os.close(file)
                raise CacheFailed("%s: can't lock files there: %s" % (self.folder, error.strerror)) from None
        os.close(file)
        return None


def bad_name(blob):
    return ".bad-" + blob.sha256[:8]


def _open_folder(folder, user):
    """A descriptor of the folder, made where it is missing; CacheFailed where it is not safely ours."""
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _FILE)
    except OSError as error:
        why = "is a symbolic link" if os.path.islink(folder) else error.strerror
        raise CacheFailed("the cache %s can't be used: %s (ASSAY_CACHE names another)" % (folder, why)) from None
    about = os.fstat(descriptor)
    why = ""
    if about.st_uid != user:
        why = "it belongs to user %d, not to %d" % (about.st_uid, user)
    elif about.st_mode & stat.S_IWOTH:
        why = "everybody may write there"
    elif not os.access(".", os.W_OK | os.X_OK, dir_fd=descriptor, effective_ids=os.access in os.supports_effective_ids):
        why = "it is read-only"
    if why:
        os.close(descriptor)
        raise CacheFailed("the cache %s can't be used: %s (ASSAY_CACHE names another)" % (folder, why))
    return descriptor
