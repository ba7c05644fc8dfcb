"""For tests: a fake and plain HTTP requests to it, with the standard library alone."""

import http.client
import json
import unittest

from artifacts.fake_gcs.server import FakeGcs


class Http:
    """Requests to a fake, each on its own connection."""

    def __init__(self, gcs):
        self._host = gcs.url[len("http://") :]

    def __call__(self, method, path, body=b"", **headers):
        connection = http.client.HTTPConnection(self._host, timeout=10)
        try:
            connection.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
            answer = connection.getresponse()
            return answer.status, dict((k.lower(), v) for k, v in answer.getheaders()), answer.read()
        finally:
            connection.close()

    def media(self, name, data, query="", **headers):
        return self("POST", "/upload/storage/v1/b/b/o?uploadType=media&name=%s%s" % (name, query), data, **headers)[0]

    def multipart(self, name, data, query="", newline=b"\r\n", boundary="x y", quote='"', **resource):
        mark = b"--" + boundary.encode()
        body = newline.join(
            [mark, b"Content-Type: application/json", b"", json.dumps(dict(resource, name=name)).encode()]
            + [mark, b"Content-Type: text/plain", b"", data, mark + b"--", b""]
        )
        kind = "multipart/related; boundary=%s%s%s" % (quote, boundary, quote)
        return self("POST", "/upload/storage/v1/b/b/o?uploadType=multipart" + query, body, Content_Type=kind)[0]

    def start(self, name, query="", prefix="", **resource):
        """The path of a new resumable session."""
        path = prefix + "/upload/storage/v1/b/b/o?uploadType=resumable&name=%s%s" % (name, query)
        status, headers, _ = self("POST", path, json.dumps(resource).encode())
        assert status == 200, status
        return headers["location"].partition(self._host)[2]

    def put(self, session, data, content_range):
        """(status, end of the range that was persisted or None)."""
        headers = {"Content_Range": content_range} if content_range else {}
        status, headers, _ = self("PUT", session, data, **headers)
        return status, headers.get("range")


class FakeTest(unittest.TestCase):
    def setUp(self):
        self.gcs = FakeGcs(buckets=("b", "other"))
        self.gcs.__enter__()
        self.addCleanup(self.gcs.stop)
        self.http = Http(self.gcs)
