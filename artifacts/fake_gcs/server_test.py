"""The fake obeys Cloud Storage's rules for uploads at the level of HTTP: what a client may rely on, request by request.

The same rules as Google's own clients meet them: conformance_test.py, gcloud_test.py.
"""

import socket
import threading
import unittest

from artifacts.fake_gcs import crc32c
from artifacts.fake_gcs.faults import FaultRule
from artifacts.fake_gcs.resumable import PIECE_BYTES
from artifacts.fake_gcs.test_http import FakeTest

CREATE = "&ifGenerationMatch=0"


class UploadTest(FakeTest):
    def test_create_only_holds_for_every_kind_of_upload(self):
        for number, first in enumerate((self.http.media, self.http.multipart)):
            self.assertEqual(200, first("n%d" % number, b"1", CREATE))
            for again in (self.http.media, self.http.multipart):
                self.assertEqual(412, again("n%d" % number, b"2", CREATE))
            session = self.http.start("n%d" % number, CREATE)
            self.assertEqual((412, None), self.http.put(session, b"2", "bytes 0-0/1"))
            self.assertEqual(b"1", self.gcs.objects("b")["n%d" % number])

    def test_without_a_precondition_an_upload_replaces_and_generations_grow(self):
        generations = []
        for data in (b"1", b"2", b"1"):
            self.assertEqual(200, self.http.media("n", data))
            generations.append(int(self.http("GET", "/b/n")[1]["x-goog-generation"]))
        self.assertEqual(sorted(set(generations)), generations)

    def test_of_two_open_sessions_the_first_to_finish_wins(self):
        one, two = self.http.start("n", CREATE), self.http.start("n", CREATE)
        self.assertEqual(200, self.http.put(two, b"2", "bytes 0-0/1")[0])
        self.assertEqual(412, self.http.put(one, b"1", "bytes 0-0/1")[0])
        self.assertEqual(b"2", self.gcs.objects("b")["n"])

    def test_of_24_racing_creators_one_creates(self):
        for kind in (self.http.media, self.http.multipart):
            name, together = kind.__name__, threading.Barrier(24)
            answers = []

            def create(number):
                together.wait()
                answers.append((kind(name, b"%d" % number, CREATE), b"%d" % number))

            threads = [threading.Thread(target=create, args=(n,)) for n in range(24)]
            [t.start() for t in threads]
            [t.join() for t in threads]
            winners = [data for status, data in answers if status == 200]
            self.assertEqual([200] + [412] * 23, sorted(status for status, _ in answers))
            self.assertEqual(winners, [self.gcs.objects("b")[name]])

    def test_declared_digests_are_checked_before_anything_is_visible(self):
        right, wrong = crc32c.encoded(b"data"), crc32c.encoded(b"date")
        self.assertEqual(400, self.http.multipart("n", b"data", crc32c=wrong))
        self.assertEqual(400, self.http.multipart("n", b"data", md5Hash="AAAAAAAAAAAAAAAAAAAAAA=="))
        self.assertEqual(400, self.http.media("n", b"data", x_goog_hash="crc32c=" + wrong))
        session = self.http.start("n", crc32c=wrong)
        self.assertEqual(400, self.http.put(session, b"data", "bytes 0-3/4")[0])
        self.assertEqual({}, self.gcs.objects("b"))
        self.assertEqual(200, self.http.multipart("n", b"data", crc32c=right, md5Hash="jXd/OF09/siBXSD3SWAm3A=="))

    def test_multipart_as_gcloud_writes_it(self):
        for newline, quote in ((b"\n", "'"), (b"\r\n", "'"), (b"\n", '"')):
            for data in (b"", b"\r", b"\n\n", b"--x", b"a\r\n--\r\nb\r"):
                self.assertEqual(200, self.http.multipart("n", data, newline=newline, quote=quote))
                self.assertEqual(data, self.gcs.objects("b")["n"])

    def test_what_is_no_upload_is_refused(self):
        post = "/upload/storage/v1/b/%s/o?uploadType=%s"
        for expected, path, body, kind in (
            (400, post % ("b", "multipart"), b"--x\r\n\r\n{}\r\n--x\r\n\r\ndata", "multipart/related; boundary=x"),
            (400, post % ("b", "multipart"), b"data", "multipart/related"),
            (400, post % ("b", "resumable"), b"[1]", "application/json"),
            (400, post % ("b", "media"), b"no name", "text/plain"),
            (400, post % ("b", "else") + "&name=n", b"", "text/plain"),
            (404, post % ("absent", "media") + "&name=n", b"", "text/plain"),
            (404, post % ("b", "resumable") + "&upload_id=unknown", b"", "text/plain"),
        ):
            self.assertEqual(expected, self.http("POST", path, body, Content_Type=kind)[0], path)
        self.assertEqual({}, self.gcs.objects("b"))

    def test_a_precondition_that_would_not_be_obeyed_is_refused(self):
        self.gcs.put("b", "n", b"1")
        upload, thing = "/upload/storage/v1/b/b/o?name=n&uploadType=", "/storage/v1/b/b/o/n"
        for query, headers in (
            ("&ifMetagenerationMatch=2", {}),
            ("&ifMetagenerationNotMatch=1", {}),
            ("&ifSourceGenerationMatch=0", {}),
            ("", {"x_goog_if_generation_match": "0"}),  # the XML API's
            ("", {"x_goog_if_metageneration_match": "2"}),
            ("", {"If_None_Match": "*"}),
        ):
            for kind in ("media", "resumable"):
                self.assertEqual(501, self.http("POST", upload + kind + query, b"{}", **headers)[0], query or headers)
            self.assertEqual(501, self.http("DELETE", thing + "?" + query, **headers)[0], query or headers)
            self.assertEqual(501, self.http("GET", thing + "?alt=media" + query, **headers)[0], query or headers)
        self.assertEqual(501, self.http("POST", upload + "media", b"2", If_Match="*")[0])
        self.assertEqual(501, self.http("GET", thing, If_Match="*")[0], "of the data alone")
        for query in ("ifGenerationMatch=0", "ifMetagenerationMatch=2"):  # the JSON API's
            self.assertEqual(501, self.http("GET", "/b/n?" + query)[0])
        self.assertEqual({"n": b"1"}, self.gcs.objects("b"))

    def test_a_client_that_ends_in_the_middle_of_a_body_leaves_nothing(self):
        port = int(self.gcs.url.rpartition(":")[2])
        media = "POST /upload/storage/v1/b/b/o?uploadType=media&name=n"
        for line, rest in (
            (media, "Content-Length: 100\r\n\r\nhalf"),
            (media, "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf"),
            ("PUT " + self.http.start("n"), "Content-Length: 100\r\n\r\nhalf"),
        ):
            with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
                connection.sendall(("%s HTTP/1.1\r\nHost: x\r\n%s" % (line, rest)).encode())
                connection.shutdown(socket.SHUT_WR)
                self.assertEqual(b"", connection.recv(1000), "no answer to half a request")
        self.assertEqual({}, self.gcs.objects("b"))


class ResumableTest(FakeTest):
    def test_pieces_and_status_queries(self):
        data = bytes(range(256)) * 1024 * 2 + b"tail"
        session = self.http.start("n", prefix="/resumable")
        self.assertEqual((308, None), self.http.put(session, b"", "bytes */*"))
        piece = data[:PIECE_BYTES]
        self.assertEqual((308, "bytes=0-262143"), self.http.put(session, piece, "bytes 0-262143/*"))
        self.assertEqual((308, "bytes=0-262143"), self.http.put(session, b"", "bytes */524292"))
        self.assertEqual({}, self.gcs.objects("b"))
        rest = data[PIECE_BYTES:]
        self.assertEqual(200, self.http.put(session, rest, "bytes 262144-524291/524292")[0])
        self.assertEqual(data, self.gcs.objects("b")["n"])
        self.assertEqual(200, self.http.put(session, b"", "bytes */524292")[0], "a query after the end finds it")

    def test_overlap_is_skipped_and_a_gap_is_not_taken(self):
        session = self.http.start("n")
        zeros, ones = b"0" * PIECE_BYTES, b"1" * PIECE_BYTES
        self.http.put(session, zeros, "bytes 0-262143/*")
        self.assertEqual((308, "bytes=0-262143"), self.http.put(session, ones, "bytes 524288-786431/*"))
        self.assertEqual(200, self.http.put(session, ones + b"2", "bytes 0-262144/262145")[0])
        self.assertEqual(zeros + b"2", self.gcs.objects("b")["n"])

    def test_a_piece_in_the_middle_must_be_a_multiple_of_256_kib(self):
        session = self.http.start("n")
        self.assertEqual(400, self.http.put(session, b"12345", "bytes 0-4/10")[0])
        for text in ("bytes 0-4/3", "bytes 0-3/5", "bytes 5", "0-4/5"):
            self.assertEqual(400, self.http.put(session, b"12345", text)[0], text)

    def test_the_server_may_keep_less_than_was_sent(self):
        for kept in (PIECE_BYTES, 0):
            self.gcs.script(FaultRule(method="PUT", persist=kept, times=1))
        data, rest = b"a" * PIECE_BYTES + b"b" * PIECE_BYTES, b"b" * PIECE_BYTES
        session = self.http.start("n")
        self.assertEqual((308, "bytes=0-262143"), self.http.put(session, data, "bytes 0-524287/524288"))
        self.assertEqual((308, "bytes=0-262143"), self.http.put(session, rest, "bytes 262144-524287/524288"))
        self.assertEqual({}, self.gcs.objects("b"))
        self.assertEqual(200, self.http.put(session, rest, "bytes 262144-524287/524288")[0])
        self.assertEqual(data, self.gcs.objects("b")["n"])

    def test_a_dead_session_is_410_and_an_unknown_one_404(self):
        session = self.http.start("n")
        self.assertEqual(499, self.http("DELETE", session)[0])
        self.assertEqual(410, self.http.put(session, b"1", "bytes 0-0/1")[0])
        self.assertEqual(404, self.http.put(session[:-32] + "0" * 32, b"1", "bytes 0-0/1")[0])

    def test_an_empty_object(self):
        self.assertEqual(200, self.http.put(self.http.start("n"), b"", "bytes */0")[0])
        self.assertEqual(200, self.http.put(self.http.start("m"), b"", "")[0])
        self.assertEqual({"m": b"", "n": b""}, self.gcs.objects("b"))


if __name__ == "__main__":
    unittest.main()
