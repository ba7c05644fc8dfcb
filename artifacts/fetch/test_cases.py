"""Shared by the tests of this folder: a fake clock, a fake bucket, and blobs. Tests only."""

import hashlib
import os
import socket
import tempfile
import threading
import unittest

from artifacts.fetch.cache import BlobCache
from artifacts.fetch.fetch import Blob, fetch
from artifacts.fetch.settings import Settings
from artifacts.fetch.sources import parse_sources
from artifacts.fake_gcs.server import FakeGcs

DATA = bytes(range(256)) * 1200  # 307,200 bytes: several reads
SECRET = "s3cr3t-T0ken"


def blob_of(data, suffix="safetensors"):
    digest = hashlib.sha256(data).hexdigest()
    return Blob(digest, len(data), "%s.%s" % (digest, suffix))


class FakeClock:
    """A clock on which time passes only by sleep()."""

    def __init__(self):
        self.now = 1e9
        self.slept = []

    def clock(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


class RawServer:
    """Answers each connection with the next of some bytes, the last for ever: for what no right server sends.

    Not a second fake bucket: it reads nothing of what it is asked, unless an answer is a function of that. With drip,
    these bytes follow every 20 ms for ever.
    """

    def __init__(self, *answers, drip=None):
        self._answers, self._drip = list(answers), drip
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._closing = threading.Event()
        self.asked = []

    def __enter__(self):
        threading.Thread(target=self._serve, daemon=True).start()
        return "http://127.0.0.1:%d" % self._socket.getsockname()[1]

    def __exit__(self, *_):
        self._closing.set()
        self._socket.close()

    def _serve(self):
        while not self._closing.is_set():
            try:
                connection, _ = self._socket.accept()
                with connection:
                    self.asked.append(connection.recv(65536))
                    data = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
                    connection.sendall(data(self.asked[-1]) if callable(data) else data)
                    while self._drip is not None and not self._closing.wait(0.02):
                        connection.sendall(self._drip)
            except OSError:
                continue


def answer(body, *headers, status=b"200 OK", length=None):
    """The bytes of an HTTP answer."""
    lines = [b"HTTP/1.1 " + status, b"Content-Length: %d" % (len(body) if length is None else length)]
    return b"\r\n".join(lines + list(headers)) + b"\r\n\r\n" + body


def closed_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class FetchTest(unittest.TestCase):
    """Has a fake bucket, a cache in a temporary folder, and a fetch() that takes no time."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.gcs = FakeGcs(buckets=("b", "mirror"))
        self.gcs.__enter__()
        self.addCleanup(self.gcs.stop)
        self.time = FakeClock()
        self.lines = []  # what was reported
        self.settings = Settings(
            clock=self.time.clock, wall_clock=self.time.clock, sleep=self.time.sleep, random=lambda: 1.0,
            stall=30, report=self.lines.append,
        )  # fmt: skip
        self.blob = blob_of(DATA)
        self.cache_folder = os.path.join(self.folder, "cache")

    def put(self, data=DATA, bucket="b", **attributes):
        self.gcs.put(bucket, self.blob.name, data, **attributes)

    def put_file(self, folder, data=DATA):
        path = os.path.join(self.folder, folder)
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, self.blob.name), "wb") as f:
            f.write(data)
        return path

    def sources(self, *texts):
        addresses = [t if "/" in t or not t.strip() else self.gcs.url + "/" + t for t in texts]
        return parse_sources(",".join(addresses), self.folder)

    def fetch(self, *texts):
        """Fetches from these sources and returns the bytes; a name without / is a bucket of the fake."""
        cache = BlobCache(self.cache_folder, settings=self.settings)
        with open(fetch(self.blob, self.sources(*texts or ("b",)), cache, self.settings), "rb") as f:
            return f.read()

    def fails(self, kind, *texts):
        """The message of a fetch that fails so, and leaves no temporary file."""
        with self.assertRaises(kind) as caught:
            self.fetch(*texts)
        self.assertEqual([], [n for n in self.kept() if n.endswith((".tmp", ".lock"))])
        self.assertNotIn(self.blob.name, self.kept())
        return str(caught.exception)

    def kept(self):
        return sorted(os.listdir(self.cache_folder))

    def statuses(self):
        return [r.status for r in self.gcs.requests]
