"""Fetches a blob by digest from the first source that has it, through the cache.

    sources = parse_sources(os.environ["ASSAY_BUCKET"], base_folder=workspace)
    cache = BlobCache(default_cache_folder(os.environ))
    path = fetch(Blob(sha256, size, name), sources, cache)     # a checked file, or FetchError
    probe(blob, sources[0]).state                              # "ok", without downloading it

Only the digest decides, whatever the source. Not for finding out what a test needs: the lock says that.
"""

import re
from typing import NamedTuple

from artifacts.fetch.backoff import Backoff
from artifacts.fetch.dead_sources import DeadSources
from artifacts.fetch.download import download, open_file, refuse_status
from artifacts.fetch.errors import (
    CacheFailed, Transient, Unavailable, Unreachable, Unusable, WrongContent
)  # fmt: skip
from artifacts.fetch.http_request import send, whole_number
from artifacts.fetch.settings import Deadline, Settings

_DIGEST = re.compile(r"[0-9a-f]{64}")
_LARGEST_BYTES = 1 << 40
_PROBE_ATTEMPTS = 3
_FEW_ATTEMPTS = 3  # at a source while others are still to be asked


class Blob(NamedTuple("Blob", [("sha256", str), ("size", int), ("name", str)])):
    """The lock's entry for one blob; name is the object's, <sha256>.safetensors, .pt2 or .onnx."""

    def __new__(cls, sha256, size, name):
        if not isinstance(sha256, str) or not _DIGEST.fullmatch(sha256):
            raise ValueError("sha256 %r is not 64 lower-case hex digits" % (sha256,))
        if type(size) is not int or not 0 < size <= _LARGEST_BYTES:
            raise ValueError("size %r is not a number of bytes from 1 to %d" % (size, _LARGEST_BYTES))
        if not isinstance(name, str) or not re.fullmatch(sha256 + r"\.[a-z0-9]{1,16}", name):
            raise ValueError("name %r is not the digest and a suffix" % (name,))
        return super().__new__(cls, sha256, size, name)


class Probe(NamedTuple):
    """Whether a source would give a blob: ok, wrong about its size, or the error it is; detail is for a person."""

    state: str  # "ok", "missing", "forbidden", "unreachable", "unusable", "wrong size", "unknown size"
    detail: str


def fetch(blob, sources, cache, settings=Settings()):
    """The path of the blob's checked file in the cache.

    Raises:
      Unavailable: no source gave it; the message lists each with its reason.
      WrongContent: a source gave something else and no other source had the blob.
    """
    return cache.get(blob, lambda partial: _Search(blob, sources, cache, partial, settings).run())


class _Search:
    """Goes through the sources: each in order with few tries, then those that did not answer with all tries.

    A dead mirror therefore costs seconds, and the only source of a blob still gets its time.
    """

    def __init__(self, blob, sources, cache, partial, settings):
        self._blob, self._partial, self._settings = blob, partial, settings
        self._sources = list(dict.fromkeys(sources))
        self._dead = DeadSources(cache.open(), settings)
        self._were_dead = [s for s in self._sources if self._dead.is_dead(s)]
        self._failures = []  # reasons of the tries that failed at the source that gave it
        self._deadline = Deadline(settings.clock, settings.deadline_for(blob.size))
        self._complaints = {}  # source -> its latest error

    def run(self):
        began = self._settings.clock()
        source = self._first_round() or self._second_round()
        if not source:
            raise _failure(self._blob, self._complaints)
        if self._failures or self._complaints or source != self._sources[0]:
            seconds = self._settings.clock() - began
            self._settings.report(_summary(self._blob, source, self._failures, self._complaints, seconds))

    def _first_round(self):
        few = _FEW_ATTEMPTS if len(self._sources) > 1 else self._settings.attempts
        queue = [(s, few) for s in self._sources if s not in self._were_dead]
        return self._first_of(queue + [(s, 1) for s in self._were_dead])

    def _second_round(self):
        silent = [s for s, error in self._complaints.items() if isinstance(error, (Unreachable, Unusable))]
        queue = [(s, self._settings.attempts) for s in silent if s not in self._were_dead]
        return self._first_of(queue) if len(self._sources) > 1 else None

    def _first_of(self, queue):
        """The first (source, attempts) that gives the blob; each may use its share of the time that is left."""
        for i, (source, attempts) in enumerate(queue):
            if self._gives(source, attempts, self._deadline.part(len(queue) - i)):
                return source
        return None

    def _gives(self, source, attempts, deadline):
        if self._partial.count:
            self._partial.restart()
        try:
            self._failures = download(self._blob, source, self._partial, deadline, self._settings, attempts)
        except CacheFailed as error:
            raise CacheFailed(_about(self._blob, str(error))) from None
        except (Unavailable, WrongContent) as error:
            remember = self._dead.bury if isinstance(error, Unreachable) else self._dead.revive
            remember(source)
            self._complaints[source] = error
            return False
        self._dead.revive(source)
        self._complaints.pop(source, None)
        return True


def _failure(blob, complaints):
    lines = ["\n  %s\n      %s" % (source.text, error) for source, error in complaints.items()]
    wrong = any(isinstance(error, WrongContent) for error in complaints.values())
    what = "no source has the right bytes" if wrong else "no source gave it"
    if not complaints:
        what = "no source is set (ASSAY_BUCKET is empty)"
    return (WrongContent if wrong else Unavailable)(_about(blob, what + "".join(lines)))


def _about(blob, text):
    return "blob %s (%d bytes): %s" % (blob.name, blob.size, text)


def _summary(blob, source, failures, complaints, seconds):
    notes = ["%s: %s" % (other.text, str(error).split("\n", 1)[0]) for other, error in complaints.items()]
    if failures:
        tries = "1 try" if len(failures) == 1 else "%d tries" % len(failures)
        notes.append("%s failed there: %s" % (tries, _counted(failures)))
    return "assay: blob %s came from %s after %.1f s%s" % (
        blob.sha256[:8], source.text, seconds, "".join("; " + n for n in notes)
    )


def _counted(reasons):
    return ", ".join("%s%s" % (r, " (%d times)" % reasons.count(r) if reasons.count(r) > 1 else "")
                     for r in dict.fromkeys(reasons))


def probe(blob, source, settings=Settings()):
    """Asks the source about the blob: existence, permission and size, without its bytes."""
    try:
        size = _size_in_folder(blob, source) if source.is_folder else _size_by_http(blob, source, settings)
    except Unavailable as error:
        return Probe(type(error).__name__.lower(), str(error))
    if size is None:
        return Probe("unknown size", "there, or a page in its place: the server does not say its size")
    if size != blob.size:
        return Probe("wrong size", "has %d bytes, the lock says %d" % (size, blob.size))
    return Probe("ok", "%d bytes" % size)


def _size_in_folder(blob, source):
    file, about = open_file(source, blob.name)
    with open(file, "rb"):
        return about.st_size


def _size_by_http(blob, source, settings):
    settings = settings.for_source(source)
    deadline = Deadline(settings.clock, settings.deadline_for(0))
    tries = Backoff(deadline, settings, _PROBE_ATTEMPTS)
    while True:
        try:
            return _asked_size(blob, source, deadline, settings)
        except Transient as error:
            if not tries.wait(error):
                raise tries.given_up(error) from None


def _asked_size(blob, source, deadline, settings):
    url = source.object_url(blob.name)
    reply = send("HEAD", url, {}, deadline, settings)
    reply.close()
    if reply.status in (405, 501):  # knows no HEAD: one byte then
        reply = send("GET", url, {"Range": "bytes=0-0"}, deadline, settings)
        reply.close()
    if reply.status not in (200, 206):
        refuse_status(reply, source, settings)
    if reply.status == 206:
        return whole_number(reply.headers.get("Content-Range", "").rpartition("/")[2])
    said = set(reply.headers.get_all("Content-Length", ()))
    return whole_number(said.pop()) if len(said) == 1 else None
