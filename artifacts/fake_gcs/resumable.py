"""Resumable upload sessions: what was persisted, what a status query says, and when the object is made.

The rules are those of Cloud Storage's page "Resumable uploads": a piece that is not the last holds a multiple of
256 KiB; the answer 308 carries how far the server got, which may be less than was sent; a query is `bytes */N`.

    sessions = Sessions()
    session = sessions.start(bucket, name, attributes, precondition)
    session.put("bytes 0-9/10", data, store)        -> the Object, or None: go on from session.persisted
"""

import re
import secrets
import threading

from artifacts.fake_gcs.objects import GcsError

PIECE_BYTES = 256 * 1024
_RANGE = re.compile(r"bytes (?:(\d+)-(\d+)|\*)/(\d+|\*)")


class Session:
    def __init__(self, bucket, name, attributes, precondition):
        self.bucket, self.name = bucket, name
        self._attributes, self._precondition = attributes, precondition
        self._data = bytearray()
        self._object = None
        self._dead = False
        self._lock = threading.Lock()

    @property
    def persisted(self):
        return len(self._data)

    def kill(self):
        """As after a week, or a DELETE by its owner: every later request is answered with 410."""
        self._dead = True

    def put(self, content_range, body, store, declared=None, persist=None):
        """One PUT.

        Args:
          content_range: the header's value; "" stands for the whole object in one piece.
          body: the piece.
          store: an ObjectStore, where the object goes when it is complete.
          declared: digests in headers of this request, kind -> base64; they come after those of the start.
          persist: keep so many bytes of the body only, as a server may.
        """
        with self._lock:
            if self._dead:
                raise GcsError(410, "This upload session is gone; start over.")
            if self._object:
                return self._object
            first, total = self._place(content_range, len(body))
            if first is not None:
                self._take(first, body, persist)
            if total is None or self.persisted < total:
                return None
            return self._finish(store, declared or {})

    def _place(self, content_range, length):
        """(offset of the body or None for a query, total or None where it is not known yet)."""
        if not content_range:
            return 0, length
        found = _RANGE.fullmatch(content_range.strip())
        if not found:
            raise GcsError(400, "Invalid Content-Range: %s" % content_range)
        total = None if found[3] == "*" else int(found[3])
        if found[1] is None:
            # `bytes */0` is also how an empty object is finished.
            return None, total
        first, last = int(found[1]), int(found[2])
        if last - first + 1 != length or (total is not None and last >= total):
            raise GcsError(400, "Content-Range %s does not fit a body of %d bytes" % (content_range, length))
        if (total is None or last + 1 < total) and length % PIECE_BYTES:
            raise GcsError(400, "A piece that is not the last must be a multiple of %d bytes." % PIECE_BYTES)
        return first, total

    def _take(self, first, body, persist):
        """Appends what is new; a piece that begins past the end is dropped, as the answer's Range then says."""
        if first > self.persisted:
            return
        fresh = body[self.persisted - first :]
        self._data += fresh if persist is None else fresh[:persist]

    def _finish(self, store, declared):
        attributes = self._attributes
        attributes = attributes._replace(
            crc32c=attributes.crc32c or declared.get("crc32c", ""), md5=attributes.md5 or declared.get("md5", "")
        )
        try:
            self._object = store.insert(self.bucket, self.name, bytes(self._data), attributes, self._precondition)
        except GcsError:
            self._dead = True
            raise
        return self._object


class Sessions:
    def __init__(self):
        self._sessions = {}

    def start(self, bucket, name, attributes, precondition):
        """(id, Session) of a new upload."""
        key = secrets.token_hex(16)
        session = self._sessions[key] = Session(bucket, name, attributes, precondition)
        return key, session

    def find(self, key):
        if key not in self._sessions:
            raise GcsError(404, "No such upload session.")
        return self._sessions[key]

    def peek(self, key):
        """The session or None, for logs."""
        return self._sessions.get(key)
