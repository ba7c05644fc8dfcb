"""A blob that is being downloaded: a temporary file that is hashed and counted while it is written.

Bytes beyond the declared size are refused, so that a lying server fills no disk.

    partial.write(data)            # WrongContent with the first byte too many
    partial.restart()              # what came so far was of another object
    partial.check()                # WrongContent with both digests, unless it is the blob
"""

import contextlib
import errno
import hashlib
import os
import re
import shutil

from artifacts.fetch.errors import CacheFailed, WrongContent

_HEAD_BYTES = 512
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(<!doctype\b|<html\b|<\?xml\b)", re.IGNORECASE)

_CAUSES = """
      likely: an error or log-in page, or a rate limit's, in the object's place; the object was overwritten after the
      lock was written; a proxy or Content-Encoding changed the bytes on their way"""


class PartialBlob:
    """A temporary file in `folder`, which is only named in messages.

    open_file() makes the file and gives its descriptor; set_aside() keeps a file of wrong bytes for a look. Errors of
    the operating system stay OSErrors, which the cache translates; only for a full disk this adds details.
    """

    def __init__(self, blob, folder, open_file, set_aside, write=os.write):
        self.blob = blob
        self.count = 0
        self._rejected = False  # the bytes are of another object and worth a look
        self._folder, self._open_file, self._set_aside, self._write = folder, open_file, set_aside, write
        self._file = open_file()
        self._hash = hashlib.sha256()
        self._head = b""

    def write(self, data):
        room = self.blob.size - self.count
        if len(data) > room:
            self.reject("is larger than the %d bytes that the lock names" % self.blob.size, data)
        self._keep(data)

    def restart(self):
        if self._rejected:
            self.close()
            self._file = self._open_file()
        else:
            os.ftruncate(self._file, 0)
            os.lseek(self._file, 0, os.SEEK_SET)
        self.count, self._head, self._rejected = 0, b"", False
        self._hash = hashlib.sha256()

    def close(self):
        file, self._file = self._file, None
        if file is None:
            return
        os.close(file)
        if self._rejected:
            self._set_aside()

    def check(self):
        """Raises WrongContent unless exactly the blob's bytes were written; they are on the disk then."""
        if self.count != self.blob.size:
            self.reject("has %d bytes, the lock says %d" % (self.count, self.blob.size))
        got = self._hash.hexdigest()
        if got != self.blob.sha256:
            self.reject("has another digest\n      got   sha256 %s\n      want  sha256 %s" % (got, self.blob.sha256))
        with self._saying_what_is_free():
            os.fchmod(self._file, 0o444)
            os.fsync(self._file)

    def reject(self, what, data=b""):
        """Raises WrongContent: the object `what`, with the likely causes and a hint from its first bytes.

        data: what was read of it after what was written.
        """
        self._head += data[: _HEAD_BYTES - len(self._head)]
        self._keep(data[: self.blob.size - self.count])
        self._rejected = self.count > 0
        page = _PAGE.match(self._head)
        hint = '\n      its body starts with "%s": a page, not a blob' % page.group(1).decode().lower() if page else ""
        raise WrongContent("the object %s%s%s" % (what, hint, _CAUSES))

    def _keep(self, data):
        view = memoryview(data)
        with self._saying_what_is_free():
            while view:
                view = view[self._write(self._file, view) :]
        self._hash.update(data)
        self._head += data[: _HEAD_BYTES - len(self._head)]
        self.count += len(data)

    @contextlib.contextmanager
    def _saying_what_is_free(self):
        try:
            yield
        except OSError as error:
            if error.errno not in _FULL:
                raise
            free = shutil.disk_usage(self._folder).free
            raise CacheFailed(
                "the cache has no room: the blob needs %d bytes, %d are free in %s (make room, or set ASSAY_CACHE "
                "to a folder on another disk)" % (self.blob.size, free, self._folder)
            ) from None
