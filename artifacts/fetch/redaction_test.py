"""Row 62 of the fault table: no secret is ever shown, whichever way it came in."""

import json
import os
import subprocess
import sys
import unittest

from artifacts.fetch.errors import FetchError, Transient, Unavailable
from artifacts.fetch.redaction import redact
from artifacts.fetch.sources import SourceError, parse_sources
from artifacts.fetch.test_cases import DATA, SECRET, FetchTest, RawServer, answer
from artifacts.fake_gcs.faults import FaultRule


class RedactionTest(FetchTest):
    def test_row_62_texts_with_secrets_in_every_place(self):
        for text, want in {
            "https://me:%s@h/b/x" % SECRET: "https://***@h/b/x",
            "http://%s@h" % SECRET: "http://***@h",
            "https://h/b?X-Goog-Signature=%s&d=%s#f" % (SECRET, SECRET): "https://h/b?X-Goog-Signature=***&d=***#f",
            "a https://h/b?sig=%s, b" % SECRET: "a https://h/b?sig=***, b",
            "Authorization: Bearer %s" % SECRET: "Authorization: Bearer ***",
            "authorization=%s x" % SECRET: "authorization=*** x",
            "got bearer %s" % SECRET: "got bearer ***",
            "token ya29.%s" % SECRET: "token ***",
            "https://h/b/x 404 of 3 bytes": "https://h/b/x 404 of 3 bytes",
        }.items():
            with self.subTest(text=text):
                self.assertNotIn(SECRET.replace("-", ""), redact(text).replace("-", ""))
                if "sig=" not in text:
                    self.assertEqual(want, redact(text))

    def test_row_62_errors_redact_what_they_are_given(self):
        for kind in (FetchError, Unavailable, Transient):
            self.assertNotIn(SECRET, str(kind("asked https://h/x?sig=%s" % SECRET)))

    def test_row_62_sources_show_no_secret(self):
        source = parse_sources("https://h/b?sv=1&sig=" + SECRET, "/")[0]
        self.assertNotIn(SECRET, source.text)
        self.assertIn(SECRET, source.object_url("x"))
        for text in ("https://me:%s@h/b", "https://%s@h", "ftp://me:%s@h/b", "https://h/../b?sig=%s", "gs://b?sig=%s"):
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
