"""A fake Google Cloud Storage on loopback, for tests: it keeps the rules that uploads and readers rely on, and breaks
them when a test asks for it.

    with FakeGcs(buckets=("b",)) as gcs:
        gcs.put("b", "name", b"data")
        gcs.script(FaultRule(method="GET", times=2, status=503))
        urllib.request.urlopen(gcs.url + "/b/name")            # path style, anonymous
        os.environ["STORAGE_EMULATOR_HOST"] = gcs.url          # Google's client
        gcs.objects("b"), gcs.requests

Right, and proven with Google's client and gcloud in conformance_test.py, are: generations, preconditions checked and
applied in one step, declared checksums, resumable sessions, ranges, lists, tokens. Not for anything but tests: objects
are in memory, there is no XML upload, no versioning, no access control beyond `tokens`.
"""

import http.server
import os
import socket
import struct
import threading
import time
from typing import NamedTuple

from artifacts.fake_gcs.api import CREATE_ONLY, READ_ONLY, READ_WRITE, Api, Request
from artifacts.fake_gcs.faults import FaultScript
from artifacts.fake_gcs.objects import Attributes, GcsError, ObjectStore
from artifacts.fake_gcs.rendering import Reply, error

__all__ = ["CREATE_ONLY", "READ_ONLY", "READ_WRITE", "FakeGcs", "Logged"]
_PAGE = b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in to this network.</body></html>"


class Logged(NamedTuple):
    """One request, in the order of arrival of its end. `status` 0: no answer was sent."""

    method: str
    path: str  # with query
    object: str
    status: int
    headers: dict  # the request's, names in lower case
    body_bytes: int
    time: float  # monotonic seconds


class FakeGcs:
    """A server in threads of this process.

    Args:
      buckets: names of the buckets; they are empty.
      tokens: None lets everybody do everything. Else bearer token -> READ_WRITE, READ_ONLY or CREATE_ONLY (neither
        reads, replaces nor deletes); what needs a token is answered with 401 without a known one, and with 403 where
        that token's right is not enough.
      public: with `tokens`, whether anybody may read.
      port: 0 takes a free one.
    """

    def __init__(self, buckets=("b",), tokens=None, public=True, port=0):
        self.store = ObjectStore(buckets)
        self.api = Api(self.store, tokens, public)
        self.faults = FaultScript()
        self.requests = []
        self.closing = threading.Event()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.gcs = self
        self.url = "http://127.0.0.1:%d" % self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Refuses from now on, and ends what is stalled."""
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    def objects(self, bucket):
        """name -> data of a bucket's live objects."""
        return {name: found.data for name, found in list(self.store.bucket(bucket).items())}

    def put(self, bucket, name, data, **attributes):
        """Makes or replaces an object, as another writer would."""
        return self.store.insert(bucket, name, data, Attributes(**attributes))

    def put_folder(self, bucket, folder):
        """Every plain file of a folder becomes an object."""
        for entry in sorted(os.scandir(folder), key=lambda e: e.name):
            if entry.is_file():
                with open(entry.path, "rb") as f:
                    self.put(bucket, entry.name, f.read())

    def script(self, *rules):
        """Adds rules after those that are there; see faults.py."""
        self.faults.add(rules)


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def handle_error(self, request, client_address):
        """A client that went away is nobody's fault here."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else the second of two small writes waits 40 ms

    def do_GET(self):
        gcs = self.server.gcs
        if gcs.closing.is_set():
            self.close_connection = True
            return
        body = self._read_body()
        if body is None:
            self.close_connection = True  # the client stopped in the middle: nothing was asked
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, self.path, headers, body)
        name = gcs.api.object_name(request)
        request.fault = rule = gcs.faults.choose(self.command, self.path, name)
        gcs.closing.wait(rule.latency) if rule.latency else None
        if rule.call:
            rule.call(request)
        reply = None if rule.reset == "before" else self._reply(gcs, request)
        status = reply.status if reply and not rule.reset else 0
        gcs.requests.append(Logged(self.command, self.path, name, status, headers, len(body), time.monotonic()))
        if rule.reset:
            self._reset()
        else:
            self._send(reply, rule)

    do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_GET

    def _read_body(self):
        """The request's body, or None where it ends too early."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return self._read_chunks()
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        return body if len(body) == length else None

    def _read_chunks(self):
        body = b""
        while True:
            line = self.rfile.readline().split(b";")[0].strip()
            if not line:
                return None
            length = int(line, 16)
            piece = self.rfile.read(length)
            self.rfile.readline()
            if len(piece) != length:
                return None
            if not length:
                return body
            body += piece

    def _reply(self, gcs, request):
        rule = request.fault
        if rule.status:
            reply = error(GcsError(rule.status, "Scripted answer %d." % rule.status), plain=False)
            if rule.retry_after is not None:
                reply.headers["Retry-After"] = str(rule.retry_after)
            return reply
        if rule.html:
            return Reply(200, {"Content-Type": "text/html; charset=utf-8"}, _PAGE)
        if rule.redirect:
            return Reply(302, {"Location": rule.redirect.replace("{path}", request.target)})
        reply = gcs.api.answer(request)
        if rule.wrong_bytes and request.method == "GET" and reply.body and reply.status in (200, 206):
            reply.body = reply.body[:-1] + bytes([reply.body[-1] ^ 1])
        return reply

    def _send(self, reply, rule):
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.status not in (204, 304):
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        body = b"" if self.command == "HEAD" else reply.body
        limit = rule.cut_after if rule.cut_after is not None else rule.stall_after
        if limit is None:
            self.wfile.write(body)
            return
        self.wfile.write(body[:limit])
        if rule.stall_after is not None:
            self.server.gcs.closing.wait(rule.stall_seconds)
        self.close_connection = True

    def _reset(self):
        """Ends the connection with RST, whatever is still to be sent or read."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())
        self.close_connection = True

    def log_message(self, *_):
        """Quiet: `requests` is the log."""
