"""The fake obeys Cloud Storage's rules for readers at the level of HTTP: ranges, generations, lists, tokens."""

import gzip
import json
import unittest

from artifacts.fake_gcs import crc32c
from artifacts.fake_gcs.server import CREATE_ONLY, READ_ONLY, READ_WRITE, FakeGcs
from artifacts.fake_gcs.test_http import FakeTest, Http


class ReadTest(FakeTest):
    def setUp(self):
        super().setUp()
        self.data = bytes(range(100))
        self.generation = self.gcs.put("b", "folder/n", self.data).generation
        media = "/storage/v1/b/b/o/folder%2Fn?alt=media"
        self.paths = ("/b/folder/n", media, "/download" + media)

    def test_ranges(self):
        for path in self.paths:
            for asked, status, content in (
                ("bytes=10-19", 206, self.data[10:20]),
                ("bytes=-5", 206, self.data[-5:]),
                ("bytes=-500", 206, self.data),
                ("bytes=90-", 206, self.data[90:]),
                ("bytes=90-500", 206, self.data[90:]),
                ("bytes=100-", 416, b""),
                ("bytes=-0", 416, b""),
                ("bytes=5-1", 200, self.data),
                ("bytes=0-1,5-6", 200, self.data),
            ):
                got, headers, body = self.http("GET", path, Range=asked)
                self.assertEqual((status, content), (got, body), asked)
                if got == 206:
                    first = self.data.index(content)
                    self.assertEqual("bytes %d-%d/100" % (first, first + len(content) - 1), headers["content-range"])

    def test_head_says_what_get_says_without_the_data(self):
        get, head = self.http("GET", "/b/folder/n"), self.http("HEAD", "/b/folder/n")
        self.assertEqual((200, b""), (head[0], head[2]))
        self.assertEqual("100", head[1]["content-length"])
        self.assertEqual("crc32c=" + crc32c.encoded(self.data), get[1]["x-goog-hash"].split(",")[0])
        get[1].pop("date"), head[1].pop("date")
        self.assertEqual(get[1], head[1])

    def test_reads_and_deletes_obey_preconditions(self):
        for path in self.paths:
            mark = "&" if "?" in path else "?"
            for wrong, status in ((0, 200), (1, 412)):
                asked = self.generation + wrong
                if path.startswith("/b/"):
                    got = self.http("GET", path, x_goog_if_generation_match=str(asked))
                else:
                    got = self.http("GET", "%s%sifGenerationMatch=%d" % (path, mark, asked))
                self.assertEqual(status, got[0], path)
            self.assertEqual(404, self.http("GET", "%s%sgeneration=%d" % (path, mark, self.generation + 1))[0])
        etag = self.http("GET", "/b/folder/n")[1]["etag"]
        self.assertEqual(200, self.http("GET", "/b/folder/n", If_Match=etag)[0])
        self.assertEqual(206, self.http("GET", "/b/folder/n", If_Range=etag, Range="bytes=1-2")[0])
        self.gcs.put("b", "folder/n", b"new")
        self.assertEqual(412, self.http("GET", "/b/folder/n", If_Match=etag)[0])
        self.assertEqual((200, b"new"), self.http("GET", "/b/folder/n", If_Range=etag, Range="bytes=1-2")[::2])
        resource = "/storage/v1/b/b/o/folder%2Fn"
        self.assertEqual(412, self.http("DELETE", "%s?ifGenerationMatch=%d" % (resource, self.generation))[0])
        self.assertEqual(404, self.http("DELETE", "%s?generation=%d" % (resource, self.generation))[0])
        self.assertEqual(204, self.http("DELETE", resource)[0])
        self.assertEqual(404, self.http("DELETE", resource)[0])

    def test_absent_and_malformed(self):
        api = "/storage/v1/b/"
        for path in ("/b/absent", "/absent/n", "/b", api + "absent", api + "absent/o", api + "b/o/absent"):
            self.assertEqual(404, self.http("GET", path)[0], path)
        self.assertIn(b"The specified bucket does not exist", self.http("GET", "/storage/v1/b/absent/o/n")[2])
        for path in ("/b/folder/n?generation=x", api + "b/o?maxResults=x", api + "b/o?maxResults=-1"):
            self.assertEqual(400, self.http("GET", path)[0], path)
        for token in ("x", "!!!!", "/w=="):  # too short, not of the alphabet, not UTF-8
            self.assertEqual(400, self.http("GET", api + "b/o?pageToken=" + token)[0], token)

    def test_lists_by_prefix_delimiter_and_page(self):
        for name in ("a", "d/1", "d/2", "e/1", "z"):
            self.gcs.put("other", name, b"")

        def ask(query):
            answer = json.loads(self.http("GET", "/storage/v1/b/other/o" + query)[2])
            return [i["name"] for i in answer.get("items", [])], answer.get("prefixes", []), answer.get("nextPageToken")

        self.assertEqual((["a", "d/1", "d/2", "e/1", "z"], [], None), ask(""))
        self.assertEqual((["d/1", "d/2"], [], None), ask("?prefix=d/"))
        self.assertEqual((["a", "z"], ["d/", "e/"], None), ask("?delimiter=/"))
        names, prefixes, token = [], [], ""
        while token is not None:
            items, more, token = ask("?delimiter=/&maxResults=1" + ("&pageToken=" + token if token else ""))
            names, prefixes = names + items, prefixes + more
        self.assertEqual((["a", "z"], ["d/", "e/"]), (names, prefixes))

    def test_a_composed_object_has_no_md5(self):
        self.gcs.put("b", "c", b"data", composed=True)
        resource = json.loads(self.http("GET", "/storage/v1/b/b/o/c")[2])
        self.assertNotIn("md5Hash", resource)
        self.assertEqual(crc32c.encoded(b"data"), resource["crc32c"])
        self.assertEqual("crc32c=" + crc32c.encoded(b"data"), self.http("GET", "/b/c")[1]["x-goog-hash"])

    def test_gzip_is_undone_for_who_does_not_accept_it(self):
        packed = gzip.compress(b"text" * 100)
        self.gcs.put("b", "z", packed, content_encoding="gzip")
        self.assertEqual(packed, self.http("GET", "/b/z", Accept_Encoding="gzip")[2])
        status, headers, body = self.http("GET", "/b/z", Accept_Encoding="identity", Range="bytes=0-3")
        self.assertEqual((200, b"text" * 100), (status, body))
        self.assertNotIn("content-encoding", headers)


class TokenTest(unittest.TestCase):
    def test_writing_needs_a_token_that_may_write(self):
        with FakeGcs(tokens={"good": READ_WRITE, "poor": READ_ONLY}) as gcs:
            http_ = Http(gcs)
            for token, status in ((None, 401), ("unknown", 401), ("poor", 403), ("good", 200)):
                headers = {"Authorization": "Bearer " + token} if token else {}
                self.assertEqual(status, http_.media("n", b"1", **headers), token)
            self.assertEqual(200, http_("GET", "/b/n")[0])
            self.assertEqual(401, http_("GET", "/b/n", Authorization="Bearer unknown")[0])
            asked = "/storage/v1/b/b/iam/testPermissions?" + "&".join(
                "permissions=storage.objects." + verb for verb in ("create", "get")
            )
            self.assertEqual(["storage.objects.get"], json.loads(http_("GET", asked)[2])["permissions"])

    def test_who_may_only_create_can_neither_read_list_delete_nor_replace(self):
        with FakeGcs(tokens={"poor": CREATE_ONLY, "good": READ_WRITE}) as gcs:
            http_, poor = Http(gcs), {"Authorization": "Bearer poor"}
            session = "/upload/storage/v1/b/b/o?uploadType=resumable&name=r"
            self.assertEqual(200, http_.media("n", b"1", **poor))
            started = http_("POST", session, b"{}", **poor)[1]["location"].partition(gcs.url)[2]
            self.assertEqual(200, http_.media("r", b"3", Authorization="Bearer good"))
            self.assertEqual(403, http_("PUT", started, b"2", Content_Range="bytes 0-0/1", **poor)[0])
            for query in ("", "&ifGenerationMatch=0"):  # Cloud Storage asks for the permission before the precondition
                self.assertEqual(403, http_.media("n", b"2", query, **poor))
            for path in ("/b/n", "/storage/v1/b/b/o/n", "/storage/v1/b/b/o/n?alt=media", "/storage/v1/b/b/o"):
                self.assertEqual(403, http_("GET", path, **poor)[0], path)
            self.assertEqual(403, http_("DELETE", "/storage/v1/b/b/o/n", **poor)[0])
            asked = "/storage/v1/b/b/iam/testPermissions?" + "&".join("permissions=" + right for right in READ_WRITE)
            self.assertEqual(["storage.objects.create"], json.loads(http_("GET", asked, **poor)[2])["permissions"])
            self.assertEqual(200, http_.media("n", b"2", Authorization="Bearer good"))
            self.assertEqual({"n": b"2", "r": b"3"}, gcs.objects("b"))

    def test_a_private_bucket_wants_a_token_for_reading_too(self):
        with FakeGcs(tokens={"poor": READ_ONLY}, public=False) as gcs:
            gcs.put("b", "n", b"1")
            self.assertEqual(401, Http(gcs)("GET", "/b/n")[0])
            self.assertEqual(200, Http(gcs)("GET", "/b/n", Authorization="Bearer poor")[0])

if __name__ == "__main__":
    unittest.main()
