"""Rows 62 and 64 of the fault table: no secret is ever shown, and text from outside moves no cursor."""

import json
import os
import subprocess
import sys
import unittest
from unittest import mock

from artifacts.fetch.errors import FetchError, Transient, Unavailable
from artifacts.fetch.fetch import probe
from artifacts.fetch.redaction import redact
from artifacts.fetch.sources import SourceError, parse_sources
from artifacts.fetch.test_cases import DATA, SECRET, FetchTest, RawServer, answer
from artifacts.fake_gcs.faults import FaultRule


class RedactionTest(FetchTest):
    def test_row_62_texts_with_secrets_in_every_place(self):
        for text, want in {
            "https://me:%s@h/b/x" % SECRET: "https://***@h/b/x",
            "http://%s@h" % SECRET: "http://***@h",
            "https://me:x/%s@h/b" % SECRET: "https://***@h/b",
            "https://me:x@%s@h/b" % SECRET: "https://***@h/b",
            "https://me:%s?%s#%s@h/b" % (SECRET, SECRET, SECRET): "https://***?***",
            "https:/me:%s@h" % SECRET: "https:***@h",
            "me:%s@h" % SECRET: "me:***@h",
            "https://h/b?X-Goog-Signature=%s&d=%s#f" % (SECRET, SECRET): "https://h/b?***",
            "https://h/b?to=a@b&sig=%s" % SECRET: "https://***?***",
            "https://h/b?%s" % SECRET: "https://h/b?***",
            "https://h/b?a=b;%s" % SECRET: "https://h/b?***",
            "https://h/b?sig=x'%s" % SECRET: "https://h/b?***",
            "https://h/b#%s" % SECRET: "https://h/b#***",
            "a https://h/b?sig=%s b\nc" % SECRET: "a https://h/b?*** b\nc",
            "Authorization: Bearer %s" % SECRET: "Authorization: ***",
            "authorization=%s x" % SECRET: "authorization=*** x",
            "got bearer %s" % SECRET: "got bearer ***",
            "token ya29.%s" % SECRET: "token ***",
            "https://h/b/x 404 of 3 bytes": "https://h/b/x 404 of 3 bytes",
            "is there a comma too many? (row #3)": "is there a comma too many? (row #3)",
        }.items():
            with self.subTest(text=text):
                self.assertNotIn(SECRET.replace("-", ""), redact(text).replace("-", ""))
                self.assertEqual(want, redact(text))

    def test_row_62_errors_redact_what_they_are_given(self):
        for kind in (FetchError, Unavailable, Transient):
            self.assertNotIn(SECRET, str(kind("asked https://h/x?sig=%s" % SECRET)))

    def test_row_62_sources_show_no_secret(self):
        for query in ("sv=1&sig=", "", "a=b;", "sig=x'"):
            source = parse_sources("https://h/b?" + query + SECRET, "/")[0]
            self.assertNotIn(SECRET, source.text)
            self.assertIn(SECRET, source.object_url("x"))
        for text in (
            "https://me:%s@h/b", "https://%s@h", "ftp://me:%s@h/b", "https://h/../b?sig=%s", "gs://b?sig=%s",
            "https://me:%s/ss@h/b", "https:/me:%s@h", "https://h/b#%s", "https://me:%s", "https://me:%s,ss@h/b",
            "https://me:a %s@h", "https://me:%s" + "x" * 300 + "@h", "https://me:[%s@h",
        ):  # fmt: skip
            with self.subTest(text=text), self.assertRaises(SourceError) as caught:
                parse_sources(text % SECRET, "/")
            self.assertNotIn(SECRET, str(caught.exception))

    def test_row_62_failed_fetches_and_redirects_show_no_signature(self):
        self.gcs.script(FaultRule(redirect="http://127.0.0.1:1/x?sig=" + SECRET, times=1), FaultRule(status=403))
        self.settings = self.settings._replace(attempts=1, token=SECRET)
        for _ in range(2):
            self.assertNotIn(SECRET, self.fails(Unavailable, self.gcs.url + "/b?sig=" + SECRET))
        redirect = answer(b"", b"Location: ftp://me:%s@h/x?sig=%s" % ((SECRET.encode(),) * 2), status=b"302 Found")
        with RawServer(redirect) as url:
            self.assertNotIn(SECRET, self.fails(Unavailable, url + "/b?sig=" + SECRET))
        self.assertNotIn(SECRET, json.dumps(self.lines))

    def test_row_62_the_program_shows_neither_the_token_nor_the_signature(self):
        token = os.path.join(self.folder, "token")
        with open(token, "w", encoding="ascii") as f:
            f.write(SECRET + "\n")
        self.put()
        self.gcs.script(FaultRule(times=1, cut_after=9, after=1), FaultRule(times=1, status=403))
        codes = [self.run_program(token) for _ in range(2)]
        self.assertEqual([2, 0], codes)
        self.assertEqual("Bearer " + SECRET, self.gcs.requests[0].headers["authorization"])

    def test_row_62_a_proxys_password_is_not_shown(self):
        source = self.sources("http://blobs.example/b")[0]
        for address in (
            "http://me:%s/x@h", "http://127.0.0.1:1/%s@h", "http://me:%s@h:99999", "http://me:%s?@h", "https://me:%s@h",
            "me:[%s@h",
        ):  # fmt: skip
            with mock.patch.dict("os.environ", {"http_proxy": address % SECRET, "no_proxy": ""}):
                with self.subTest(address=address):
                    text = self.fails(Unavailable, "http://blobs.example/b")
                    text += repr(probe(self.blob, source, self.settings))
                    self.assertIn("http_proxy", text)
                    self.assertNotIn(SECRET, text + "".join(self.lines))

    def test_row_64_what_moves_a_cursor_or_turns_a_line_is_escaped(self):
        text = "\x1b[2K\a\r\b\x7f \x9b31m \u202e\u2066\u200f \u2028 \ud800 ä\n…"
        want = "\\x1b[2K\\x07\\r\\x08\\x7f \\x9b31m \\u202e\\u2066\\u200f \\u2028 \\ud800 ä\n…"
        self.assertEqual(want, redact(text))
        for kind in (FetchError, Transient, SourceError):
            self.assertEqual(redact("x\x1b"), str(kind("x\x1b")))

    def test_row_64_a_reason_phrase_is_one_short_line_without_controls(self):
        reason = b"\x1b[2K\x07\x9b PASSED in 1.5s " + b"x" * 60000
        for status in (b"503", b"403", b"302"):
            with RawServer(answer(b"", status=status + b" " + reason)) as url:
                message = self.fails(Unavailable, url + "/b")
            with self.subTest(status=status):
                self.assertLess(len(message), 1000)
                self.assertTrue(message.replace("\n", "").isprintable(), message)
        self.put()
        with RawServer(answer(b"", status=b"503 " + reason)) as url:
            self.settings = self.settings._replace(attempts=3)
            self.fetch(url + "/b", "b")
        self.assertLess(len("".join(self.lines)), 1000)

    def test_row_62_a_misspelt_flag_is_not_repeated_with_its_secret(self):
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fetch_blob.py")
        flags = ["--sha256=x", "--size=1", "--name=x", "--base=/", "--source=https://h?" + SECRET]
        done = subprocess.run([sys.executable, program] + flags, capture_output=True, text=True, timeout=60)
        self.assertEqual(3, done.returncode)
        self.assertNotIn(SECRET, done.stderr)

    def run_program(self, token):
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fetch_blob.py")
        flags = ["--sha256=" + self.blob.sha256, "--size=%d" % len(DATA), "--name=" + self.blob.name, "--base=/"]
        bucket = self.gcs.url + "/b?sig=" + SECRET
        environment = {"ASSAY_BUCKET": bucket, "ASSAY_TOKEN_FILE": token, "ASSAY_CACHE": self.cache_folder}
        command = [sys.executable, program] + flags
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        self.assertNotIn(SECRET, done.stdout + done.stderr)
        return done.returncode


if __name__ == "__main__":
    unittest.main()
