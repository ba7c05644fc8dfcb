"""Downloads one blob from one source: retries temporary failures, resumes a cut body, gives up on permanent failures.

    download(blob, source, partial, deadline, settings)      # returns why tries failed; raises FetchError

A resumed body is pinned to the object that the first bytes were of (generation or ETag): an object that changes in
between costs one restart, twice is WrongContent. What a status means: 408, 429, 500, 502, 503 and 504 are tried again;
401 and 403 are Forbidden, 404 and 410 Missing, the rest Unusable.
"""

import os
import re
import stat
from typing import NamedTuple, Optional

from artifacts.fetch import backoff
from artifacts.fetch.errors import Forbidden, Missing, Transient, Unusable, WrongContent
from artifacts.fetch.http_request import send, whole_number
from artifacts.fetch.redaction import quoted

_CHUNK_BYTES = 1 << 16
_CONTENT_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)")


def download(blob, source, partial, deadline, settings, attempts=None):
    """Fills `partial` with the blob's checked bytes; returns the reasons of the tries that failed, in order.

    Raises:
      Missing, Forbidden, Unreachable, Unusable: another source may have it.
      WrongContent: this source's object is not the blob.
      CacheFailed: the bytes can't be kept.
    """
    if source.is_folder:
        _copy(blob, source, partial)
        return []
    settings = settings.for_source(source)
    transfer = _Transfer(blob, source, partial, deadline, settings)
    tries = backoff.Backoff(deadline, settings, attempts)
    failures = []
    while True:
        before = partial.count
        try:
            transfer.run()
            partial.check()
            return failures
        except Transient as error:
            if partial.count == blob.size:  # all of it came; only the end of the connection did not
                partial.check()
                return failures
            failures.append(str(error))
            if partial.count > before:
                tries.progressed()
            if not tries.wait(error):
                raise tries.given_up(error) from None


def refuse_status(reply, source, settings):
    """Raises the error for an answer without the object."""
    what = "%d %s" % (reply.status, reply.reason)
    if reply.status in backoff.RETRIED:
        wait = backoff.retry_after_seconds(reply.headers.get("Retry-After"), settings.wall_clock)
        raise Transient(what, wait, of_server=not reply.is_elsewhere)
    if reply.status in (401, 403):
        raise Forbidden(
            "%s, asked %s: %s is closed to us, or has no such object and does not say so"
            % (what, settings.authentication, source.text)
        )
    if reply.status in (404, 410):
        raise Missing("%s, asked %s: no such object, or no such bucket" % (what, settings.authentication))
    raise Unusable("%s, asked %s" % (what, settings.authentication))


def open_file(source, name):
    """A descriptor of an object in a folder, and its os.stat_result."""
    path = os.path.join(source.folder, name)
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        there = os.path.isdir(source.folder)
        raise Missing("no such file" if there else "no such folder: %s" % source.folder) from None
    except OSError as error:
        kind = Forbidden if isinstance(error, PermissionError) else Unusable
        raise kind("%s: %s" % (path, error.strerror)) from None
    about = os.fstat(file)
    if not stat.S_ISREG(about.st_mode):
        os.close(file)
        raise Unusable("%s: not a file" % path)
    return file, about


def _copy(blob, source, partial):
    file, about = open_file(source, blob.name)

    def read():
        try:
            return f.read(_CHUNK_BYTES)
        except OSError as error:
            raise Unusable("%s: %s" % (source.folder, error.strerror)) from None

    with open(file, "rb") as f:
        if about.st_size > blob.size:
            partial.reject("has %d bytes, the lock says %d" % (about.st_size, blob.size), read())
        for chunk in iter(read, b""):
            partial.write(chunk)
    partial.check()


class _Pin(NamedTuple):
    """Which version of an object an answer was about, as far as the server says."""

    generation: Optional[str]
    etag: Optional[str]

    @staticmethod
    def of(headers):
        etag = headers.get("ETag")
        return _Pin(headers.get("x-goog-generation"), None if not etag or etag.startswith("W/") else etag)

    def contradicts(self, other):
        return any(mine and yours and mine != yours for mine, yours in zip(self, other))

    def conditions(self):
        """Headers that make a server with another version say so (412, or 200 and the whole object)."""
        headers = {}
        if self.generation:
            headers["x-goog-if-generation-match"] = self.generation
        if self.etag:
            headers["If-Range"] = self.etag
        return headers


class _Transfer:
    """The download of one object, over as many requests as it takes."""

    def __init__(self, blob, source, partial, deadline, settings):
        self._blob, self._source, self._partial = blob, source, partial
        self._deadline, self._settings = deadline, settings
        self._url = source.object_url(blob.name)
        self._pin = _Pin(None, None)
        self._changes = 0
        self._knows_ranges = True

    def run(self):
        """One request for what is still missing; Transient where it did not bring all of it."""
        headers = {}
        if not self._knows_ranges:
            self._partial.restart()
        if self._partial.count:
            headers = dict(self._pin.conditions(), Range="bytes=%d-" % self._partial.count)
        reply = send("GET", self._url, headers, self._deadline, self._settings)
        try:
            self._begin(reply)
            self._refuse_encoding(reply)
            self._take(reply)
        finally:
            reply.close()

    def _begin(self, reply):
        """Checks that the answer goes on where the last one ended, or starts anew."""
        pin = _Pin.of(reply.headers)
        resumed = self._partial.count > 0
        if resumed and reply.status == 412:
            self._changed("answered 412")
        if resumed and reply.status == 416:
            self._refuse_range(reply)
        if reply.status not in ((200, 206) if resumed else (200,)):
            refuse_status(reply, self._source, self._settings)
        if resumed and self._pin.contradicts(pin):
            self._changed("has another generation or ETag")
        if resumed and reply.status == 200:
            self._partial.restart()  # the server knows no ranges
        elif resumed:
            self._check_range(reply)
        self._pin = pin

    def _check_range(self, reply):
        match = _CONTENT_RANGE.fullmatch(reply.headers.get("Content-Range", "").strip())
        if not match or int(match.group(1)) != self._partial.count:
            self._refuse_range(reply)
        if match.group(3) != "*" and int(match.group(3)) != self._blob.size:
            self._changed("has %s bytes now" % match.group(3))

    def _refuse_range(self, reply):
        """A server with broken ranges, or none, shows no sign of another object: the whole is asked for from now on."""
        self._knows_ranges = False
        given = quoted(reply.headers.get("Content-Range", ""))
        what = '%d "%s" when asked for bytes %d on' % (reply.status, given, self._partial.count)
        raise Transient(what, of_server=False)

    def _changed(self, how):
        self._changes += 1
        if self._changes > 1:
            raise WrongContent("the object changes while it is read (it %s, the second time)" % how)
        self._partial.restart()
        self._pin = _Pin(None, None)
        raise Transient("object changed while it was read", of_server=False)

    def _refuse_encoding(self, reply):
        encoding = reply.headers.get("Content-Encoding", "identity").strip().lower()
        if encoding not in ("", "identity"):
            raise WrongContent(
                "the server sent it with Content-Encoding: %s although asked not to; upload it without contentEncoding"
                % quoted(encoding, 40)
            )

    def _take(self, reply):
        """Writes the body. A server that says beforehand that it is of another size has another object."""
        partial, size = self._partial, self._blob.size
        length = whole_number(reply.headers.get("Content-Length"))
        if reply.status == 200 and length not in (None, size):
            partial.reject("has %d bytes, the lock says %d" % (length, size), reply.read(_CHUNK_BYTES))
        for data in iter(lambda: reply.read(_CHUNK_BYTES), b""):
            partial.write(data)
        if partial.count < size and not reply.is_chunked:
            raise Transient("got %d of %d bytes" % (partial.count, size), of_server=False)
