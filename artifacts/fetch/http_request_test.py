"""Row 8 of the fault table: where redirects and tokens may go. And how a proxy is used."""

import socket
import unittest
from unittest import mock

from artifacts.fetch.cache import BlobCache
from artifacts.fetch.errors import Unavailable
from artifacts.fetch.fetch import fetch, probe
from artifacts.fetch.redirects import is_loopback, may_send_token, redirected
from artifacts.fetch.test_cases import DATA, SECRET, FetchTest, RawServer, answer
from artifacts.fake_gcs.faults import FaultRule
from artifacts.fake_gcs.server import READ_ONLY, FakeGcs


class Redirects(FetchTest):
    def test_row_08_a_redirect_is_followed_and_a_token_stays_with_its_host(self):
        self.put()
        self.settings = self.settings._replace(token=SECRET)
        other = FakeGcs(buckets=("b",))
        with other:
            other.script(FaultRule(redirect=self.gcs.url + "{path}"))
            self.assertEqual(DATA, self.fetch(other.url + "/b"))
            self.assertEqual("Bearer " + SECRET, other.requests[0].headers["authorization"])
            self.assertNotIn("authorization", self.gcs.requests[0].headers)

    def test_row_08_a_redirect_on_one_host_keeps_the_token(self):
        self.put()
        self.settings = self.settings._replace(token=SECRET)
        self.gcs.script(FaultRule(path="^/mirror", redirect="/b/" + self.blob.name))
        self.assertEqual(DATA, self.fetch("mirror"))
        self.assertEqual(["Bearer " + SECRET] * 2, [r.headers["authorization"] for r in self.gcs.requests])

    def test_row_08_never_from_https_to_http_nor_to_another_kind(self):
        self.assertEqual("https://i/y", redirected("https://h/x", "https://i/y"))
        self.assertEqual("https://h/y", redirected("https://h/x", "/y"))
        self.assertEqual("https://i/y", redirected("http://h/x", "https://i/y"))
        for url, location in [
            ("https://h/x", "http://h/x"),
            ("https://h/x", "http://127.0.0.1/x"),
            ("http://h/x", "file:///etc/passwd"),
            ("http://h/x", "ftp://h/x"),
            ("http://h/x", ""),
            ("http://h/x", "http://h/a\r\nX: y"),
            ("http://h/x", "http://h/a b"),
            ("http://h/x", "http://[x/"),
            ("http://h/x", "http://h/\u00e4"),
            ("http://h/x", "http://h:x/"),
            ("http://h/x", "http://h:99999/"),
        ]:
            with self.subTest(location=location), self.assertRaises(Unavailable):
                redirected(url, location)

    def test_row_08_a_refused_redirect_is_not_tried_again(self):
        with RawServer(answer(b"", b"Location: file:///etc/passwd", status=b"302 Found")) as url:
            self.assertIn("redirects to no address", self.fails(Unavailable, url + "/b"))
        self.assertEqual([], self.time.slept)

    def test_row_08_a_redirect_to_another_kind_of_server_is_named(self):
        with RawServer(answer(b"", b"Location: ftp://h/x", status=b"302 Found")) as url:
            self.assertIn("to ftp://h/x", self.fails(Unavailable, url + "/b"))

    def test_row_08_not_from_outside_to_this_machine_or_its_link(self):
        inward = "127.0.0.1 127.8.8.8 localhost [::1] [::ffff:127.0.0.1] 169.254.169.254 [fe80::1] 0.0.0.0 [::]".split()
        for host in inward:
            with self.subTest(host=host):
                with self.assertRaises(Unavailable):
                    redirected("http://h/x", "http://%s/y" % host)
                self.assertEqual("http://%s/y" % host, redirected("http://127.0.0.1/x", "http://%s/y" % host))

    def test_row_08_not_either_by_a_name_that_means_this_machine(self):
        self.put()
        real = socket.getaddrinfo
        own = lambda host, *rest, **more: real("127.0.0.1" if host.endswith(".example") else host, *rest, **more)
        port = self.gcs.url.rpartition(":")[2]
        other = "http://inner.example:%s{path}" % port
        self.gcs.script(FaultRule(times=1, redirect="/b/" + self.blob.name), FaultRule(times=1, redirect=other))
        with mock.patch("socket.getaddrinfo", own), mock.patch.dict("os.environ", {"http_proxy": ""}):
            message = self.fails(Unavailable, "http://outer.example:%s/b" % port)
        self.assertIn("refused a redirect", message)
        self.assertEqual(2, len(self.gcs.requests))  # to itself it may redirect; the third was never sent

    def test_row_08_a_circle_ends_after_five(self):
        self.gcs.script(FaultRule(redirect=self.gcs.url + "{path}"))
        self.assertIn("more than 5 redirects", self.fails(Unavailable))
        self.assertEqual(6, len(self.gcs.requests))


class Tokens(FetchTest):
    def test_a_token_goes_over_https_and_loopback_only(self):
        for url, want in {
            "https://h/x": True,
            "http://h/x": False,
            "http://127.0.0.1:8/x": True,
            "http://localhost/x": True,
            "http://[::1]/x": True,
            "http://127.0.0.1.evil.example/x": False,
        }.items():
            self.assertEqual(want, may_send_token(url, url), url)
        self.assertFalse(may_send_token("https://i/x", "https://h/x"))
        self.assertFalse(may_send_token("https://h:444/x", "https://h/x"))
        self.assertFalse(is_loopback("h"))

    def test_a_private_bucket_is_read_with_a_token_and_says_how_it_was_asked(self):
        private = FakeGcs(buckets=("b",), tokens={SECRET: READ_ONLY}, public=False)
        with private:
            private.put("b", self.blob.name, DATA)
            self.assertIn("asked anonymous", self.fails(Unavailable, private.url + "/b"))
            self.settings = self.settings._replace(token="another")
            self.assertIn("asked with the token of ASSAY_TOKEN_FILE", self.fails(Unavailable, private.url + "/b"))
            self.settings = self.settings._replace(token=SECRET)
            self.assertEqual(DATA, self.fetch(private.url + "/b"))

    def test_a_source_that_is_not_to_have_the_token_is_asked_anonymously(self):
        self.put()
        self.settings = self.settings._replace(token=SECRET)
        source = self.sources("b")[0]._replace(takes_token=False)
        fetch(self.blob, [source], BlobCache(self.cache_folder, settings=self.settings), self.settings)
        self.assertEqual("ok", probe(self.blob, source, self.settings).state)
        self.assertEqual([None, None], [r.headers.get("authorization") for r in self.gcs.requests])

    def test_anonymous_sends_no_credential_and_looks_none_up(self):
        self.put()
        self.fetch()
        self.assertEqual([None], [r.headers.get("authorization") for r in self.gcs.requests])
        self.assertEqual(1, len(self.gcs.requests))


class Proxies(FetchTest):
    def test_a_proxy_of_the_environment_is_asked_for_the_whole_address(self):
        proxy = RawServer(answer(DATA))
        with proxy as url:
            address = "http://me:pw@" + url[len("http://") :]
            with mock.patch.dict("os.environ", {"http_proxy": address, "no_proxy": ""}):
                self.assertEqual(DATA, self.fetch("http://blobs.example/b"))
        asked = proxy.asked[0].decode()
        self.assertTrue(asked.startswith("GET http://blobs.example/b/%s HTTP/1.1" % self.blob.name), asked)
        self.assertIn("Proxy-Authorization: Basic bWU6cHc=", asked)

    def test_a_proxy_that_is_not_spoken_to_in_clear_http_is_refused_before_anything_is_sent(self):
        proxy = RawServer(answer(DATA))
        with proxy as url:
            for scheme in ("https", "socks5", "socks5h", "ftp", ""):
                address = scheme + "://me:pw@" + url[len("http://") :]
                with mock.patch.dict("os.environ", {"http_proxy": address, "no_proxy": ""}):
                    with self.subTest(scheme=scheme):
                        message = self.fails(Unavailable, "http://blobs.example/b")
                        self.assertIn("http_proxy: want http://HOST:PORT, or user and password before an @", message)
        self.assertEqual(([], []), (proxy.asked, self.time.slept))

    def test_an_ipv6_address_without_a_port_is_asked_at_port_80(self):
        with mock.patch("socket.create_connection", side_effect=ConnectionRefusedError) as connect:
            self.fails(Unavailable, "http://[::1]/b")
        self.assertEqual(("::1", 80), connect.call_args[0][0])

    def test_loopback_needs_no_proxy(self):
        self.put()
        with mock.patch.dict("os.environ", {"http_proxy": "http://127.0.0.1:1", "no_proxy": ""}):
            self.assertEqual(DATA, self.fetch())


if __name__ == "__main__":
    unittest.main()
