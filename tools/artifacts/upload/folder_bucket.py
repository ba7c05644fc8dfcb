"""A plain folder as a bucket: objects appear whole or not at all, and are never replaced.

    FolderBucket("/data/assay", Settings()).create(item)

How: a temporary file in the same folder, written, synced, then linked to its name. link() fails where the name is
taken, which rename() does not. The temporary file is locked while its writer lives, so that the next upload tells a
killed one's leftovers from another's work. Every step goes through the folder's descriptor: a folder swapped for a link
in the middle changes nothing.
"""

import contextlib
import errno
import fcntl
import hashlib
import os
import secrets
import urllib.parse

from artifacts.fetch.digest import pieces, sha256_of
from tools.artifacts.upload import local_blobs
from tools.artifacts.upload.bucket import ABSENT, CREATED, THERE, DifferentObject, Stopped, UploadError

_TEMPORARY = ".upload-"  # begins a temporary file's name; no object begins with a dot
_LACKING = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.ENOLCK, errno.EMLINK)
_NO_FOLDER = -1  # a descriptor that every call refuses; None would stand for the current folder


class FolderBucket:
    def __init__(self, folder, settings):
        self._folder = folder
        self._settings = settings
        self._descriptor = _NO_FOLDER
        self.text = folder
        self.bazelrc_value = "file://" + urllib.parse.quote(folder)

    def check(self, writing=True):
        """Makes the folder where there is none (not for writing=False), and sweeps what killed uploads left."""
        try:
            if writing:
                os.makedirs(self._folder, exist_ok=True)
            self._descriptor = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            if writing:
                self._sweep()
        except OSError as error:
            if writing or error.errno != errno.ENOENT:
                raise UploadError("%s: not a folder that can be used: %s" % (self._folder, error.strerror)) from None
        if writing and not os.access(self._folder, os.W_OK | os.X_OK):
            raise UploadError("%s: this user may not write to it" % self._folder)

    def find(self, item):
        """ABSENT, THERE, or DifferentObject."""
        if self._descriptor == _NO_FOLDER:
            return ABSENT
        try:
            with local_blobs.open_plain(item.name, self._descriptor) as f:
                digest, size = sha256_of(f), f.tell()
        except FileNotFoundError:
            return ABSENT
        except local_blobs.BlobError as error:
            raise DifferentObject("%s/%s; remove it if it isn't yours" % (self._folder, error)) from None
        except OSError as error:
            why = "%s/%s is there, but can't be read: %s" % (self._folder, item.name, error.strerror)
            raise UploadError(why) from None
        if digest == item.sha256:
            return THERE
        raise DifferentObject(
            "%s/%s is another object: there %d bytes, sha256 %s; here %d bytes, sha256 %s. Nothing was overwritten."
            % (self._folder, item.name, size, digest[:16], item.size, item.sha256[:16])
        )

    def create(self, item):
        """CREATED or THERE; DifferentObject where the name is taken by other bytes."""
        if self.find(item) == THERE:
            return THERE
        try:
            with self._temporary() as (descriptor, temporary):
                self._copy(item, descriptor)
                here = self._descriptor
                with self._needs("hard links"):
                    os.link(temporary, item.name, src_dir_fd=here, dst_dir_fd=here, follow_symlinks=False)
            os.fsync(self._descriptor)
        except FileExistsError:
            if self.find(item) == THERE:  # another uploader was faster
                return THERE
            raise UploadError("%s/%s was there and is gone; run this again" % (self._folder, item.name)) from None
        except OSError as error:
            raise UploadError(self._why(item, error)) from None
        return CREATED

    def _copy(self, item, descriptor):
        digest, size = hashlib.sha256(), 0
        with local_blobs.open_plain(item.path) as source:
            for piece in pieces(source):
                if self._settings.stop.is_set():
                    raise Stopped()
                digest.update(piece)
                size += len(piece)
                while piece:
                    piece = piece[os.write(descriptor, piece) :]
        local_blobs.check(item.path, size, digest.hexdigest(), item)
        os.fsync(descriptor)

    @contextlib.contextmanager
    def _temporary(self):
        """(descriptor, name) of a locked new file, which is gone afterwards."""
        name = "%s%s" % (_TEMPORARY, secrets.token_hex(8))
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(name, flags, 0o666, dir_fd=self._descriptor)
        try:
            with self._needs("locks"):
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            if os.fstat(descriptor).st_nlink:
                yield descriptor, name
            else:  # another's sweep came between the two calls
                with self._temporary() as another:
                    yield another
        finally:
            os.close(descriptor)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name, dir_fd=self._descriptor)

    @contextlib.contextmanager
    def _needs(self, what):
        try:
            yield
        except OSError as error:
            if error.errno not in _LACKING:
                raise
            why = "%s: its file system has no %s, which create-only needs (%s); use another folder"
            raise UploadError(why % (self._folder, what, error.strerror)) from None

    def _sweep(self):
        for name in os.listdir(self._descriptor):
            if not name.startswith(_TEMPORARY):
                continue
            with contextlib.suppress(OSError):
                descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=self._descriptor)
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails where its writer lives
                    os.unlink(name, dir_fd=self._descriptor)
                finally:
                    os.close(descriptor)

    def _why(self, item, error):
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            room = os.statvfs(self._descriptor)
            free = room.f_bavail * room.f_frsize
            return "%s is full: %s needs %d bytes, %d are free" % (self._folder, item.name, item.size, free)
        return "%s/%s: %s" % (self._folder, item.name, error.strerror)
