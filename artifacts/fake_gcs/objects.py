"""The objects of a fake bucket: generations that only grow, and check-and-set that nothing comes between.

    store = ObjectStore(["b"])
    store.insert("b", "name", b"data", precondition=Precondition(if_generation_match=0))
    store.get("b", "name").generation

Everything is in memory. Only the live generation of an object is kept.
"""

import base64
import hashlib
import itertools
import threading
import time
from typing import NamedTuple, Optional

from artifacts.fake_gcs import crc32c


class GcsError(Exception):
    """An error as Cloud Storage would return it."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status
        self.message = message


class Attributes(NamedTuple):
    """The statements of the uploader about an object; a digest that is declared is checked before anything is visible."""

    content_type: str = "application/octet-stream"
    content_encoding: str = ""
    cache_control: str = ""
    metadata: dict = {}
    crc32c: str = ""  # base64, as everywhere in the API
    md5: str = ""
    composed: bool = False  # out of parts; such an object has no MD5


class Object(NamedTuple):
    name: str
    data: bytes
    generation: int
    created: float  # seconds since the epoch
    crc32c: str
    md5: str
    attributes: Attributes


class Precondition(NamedTuple):
    """None: not asked for. A generation of 0 stands for "there is none".

    The permission is asked for first. Whether Cloud Storage does so is not documented: to a client, 403 as well as 412
    must mean that there may be one.
    """

    if_generation_match: Optional[int] = None
    if_generation_not_match: Optional[int] = None
    may_replace: bool = True

    def check(self, live):
        if live and not self.may_replace:
            raise GcsError(403, "The caller does not have storage.objects.delete access.")
        generation = live.generation if live else 0
        if self.if_generation_match is not None and generation != self.if_generation_match:
            raise GcsError(412, "At least one of the pre-conditions you specified did not hold.")
        if self.if_generation_not_match is not None and generation == self.if_generation_not_match:
            raise GcsError(304, "Not modified.")


class ObjectStore:
    def __init__(self, buckets):
        self._buckets = {name: {} for name in buckets}
        self._generations = itertools.count(int(time.time() * 1e6))
        self._guard = threading.Lock()  # of _locks only
        self._locks = {}

    def bucket(self, bucket):
        """name -> Object of a bucket's live objects."""
        if bucket not in self._buckets:
            raise GcsError(404, "The specified bucket does not exist.")
        return self._buckets[bucket]

    def _lock(self, bucket, name):
        with self._guard:
            return self._locks.setdefault((bucket, name), threading.Lock())

    def get(self, bucket, name, generation=None, precondition=Precondition()):
        found = self.bucket(bucket).get(name)
        if found and generation is not None and found.generation != generation:
            found = None
        if not found:
            raise GcsError(404, "No such object: %s/%s" % (bucket, name))
        precondition.check(found)
        return found

    def insert(self, bucket, name, data, attributes=Attributes(), precondition=Precondition()):
        """Makes `data` the live generation, if its declared digests and the precondition hold; else nothing changes."""
        objects = self.bucket(bucket)
        _check_name(name)
        crc, md5 = crc32c.encoded(data), base64.b64encode(hashlib.md5(data).digest()).decode("ascii")
        for kind, declared, actual in (("CRC32C", attributes.crc32c, crc), ("MD5", attributes.md5, md5)):
            if declared and declared != actual:
                text = 'Provided %s "%s" doesn\'t match calculated %s "%s".'
                raise GcsError(400, text % (kind, declared, kind, actual))
        with self._lock(bucket, name):
            precondition.check(objects.get(name))
            md5 = "" if attributes.composed else md5
            made = Object(name, bytes(data), next(self._generations), time.time(), crc, md5, attributes)
            objects[name] = made
        return made

    def delete(self, bucket, name, generation=None, precondition=Precondition()):
        objects = self.bucket(bucket)
        with self._lock(bucket, name):
            self.get(bucket, name, generation, precondition)
            del objects[name]

    def listing(self, bucket, prefix="", delimiter="", after="", limit=1000):
        """(objects, common prefixes, the token of the next page or "") in the order of names."""
        items, prefixes, last = [], [], ""
        for name, found in sorted(self.bucket(bucket).items()):
            head, delim, _ = name[len(prefix) :].partition(delimiter) if delimiter else ("", "", "")
            entry = prefix + head + delim if delim else name
            if not name.startswith(prefix) or entry <= after or (prefixes and entry == prefixes[-1]):
                continue
            if len(items) + len(prefixes) == limit:
                return items, prefixes, last
            last = entry
            if delim:
                prefixes.append(entry)
            else:
                items.append(found)
        return items, prefixes, ""


def _check_name(name):
    if not name or len(name.encode("utf-8")) > 1024 or "\n" in name or "\r" in name or name in (".", ".."):
        raise GcsError(400, "Invalid object name: %r" % name)
