"""ASSAY_BUCKET is read by one rule, and hostile texts end in an error with a fix, never in a strange address."""

import itertools
import unittest
import urllib.parse

from artifacts.fetch.sources import SourceError, parse_sources

NAME = "0" * 64 + ".safetensors"


def urls(text, base="/w"):
    return [source.object_url("n") for source in parse_sources(text, base)]


_PARTS = [  # of a path
    "..", "../x", "a/../b", "./a", "a//b", "%2e%2e", "a/%2E%2e/b", "a%2fb", "a%00b", "\0", "a\nb", "a\rb", "a\tb",
    "\x7f", "a b", "a\\b", '"', "<x>", "^", "`id`", "{x}", "|", "%", "%zz", "%4", "#f", "a?b#c", "\ud800",
]  # fmt: skip
_HOSTS = [
    "", "/", "//x", " ", "..", ".", "-", "a..b", "@", "u@h", "u:p@h", ":80", "h:x", "h:-1", "h:99999", "h:0", "[",
    "[::1", "h h", "h\ni", "h\0", "?x", "#x", "$(id)", "-oProxyCommand=x", "a" * 300, "\u0430\u0440",
]  # fmt: skip
_SCHEMES = ["ftp", "s3", "azure", "javascript", "data", "ssh", "git+https", "", " ", "file+http", "http\n", "g s", "\0"]
_OTHERS = [
    ",", "/a,", ",/a", "/a,,/b", " , ", "file://", "file:", "file:/", "file:a", "gs:bucket", "http:h", "~", "~/b",
    "~root/b", "file://~/b", "file:///a%00", "\0", "a\0b", "/a\nb", "file:///%zz", "C:/x", "c:x", "s3:b", "mailto:x",
]  # fmt: skip


def hostile_texts():
    """More than two hundred invalid places, each alone and inside each kind of address."""
    heads = ("gs://bucket/", "http://h/", "https://h/p/", "HTTP://h/", "GS://bucket/p/")
    yield from (head + part for head, part in itertools.product(heads, _PARTS))
    yield from ("%s://%s" % pair for pair in itertools.product(("gs", "http", "https"), _HOSTS))
    yield from (scheme + "://h/b" for scheme in _SCHEMES)
    yield from _OTHERS


class SourcesTest(unittest.TestCase):
    def test_addresses_of_each_kind(self):
        for text, want in {
            "/a/b/": "file:///a/b/n",
            "/": "file:///n",
            "/a/../b": "file:///b/n",
            "/a b%c": "file:///a%20b%25c/n",
            "OUT/b2": "file:///w/OUT/b2/n",
            "../x": "file:///x/n",
            ".": "file:///w/n",
            "file:///a": "file:///a/n",
            "file:///a%20b%2Cc": "file:///a%20b%2Cc/n",
            "file://OUT/b2": "file:///w/OUT/b2/n",
            "FILE:///a": "file:///a/n",
            "https://h/p": "https://h/p/n",
            "https://h": "https://h/n",
            "http://127.0.0.1:8080/b/": "http://127.0.0.1:8080/b/n",
            "http://[::1]:80/b": "http://[::1]:80/b/n",
            "https://h/c?sv=1&sig=a%2Fb": "https://h/c/n?sv=1&sig=a%2Fb",
            "https://h/c?a=\u00e4": "https://h/c/n?a=%C3%A4",
            "gs://bkt": "https://storage.googleapis.com/bkt/n",
            "gs://bkt/p/q/": "https://storage.googleapis.com/bkt/p/q/n",
        }.items():
            with self.subTest(text=text):
                self.assertEqual([want], urls(text))

    def test_several_in_order_and_none(self):
        self.assertEqual(["https://storage.googleapis.com/bkt/n", "file:///a/n"], urls("gs://bkt , /a"))
        self.assertEqual([], urls(""))
        self.assertEqual([], urls("  "))

    def test_googles_token_is_not_for_mirrors(self):
        takes = lambda text: [source.takes_token for source in parse_sources(text, "/w")]
        self.assertEqual([True, True], takes("https://h/p,http://i"))
        self.assertEqual([False, True, False], takes("https://h/p,gs://bkt,/a"))

    def test_a_folder_reads_back_as_it_was(self):
        for folder in ("/a", "/a b", "/a%20b", "/ä/ö", "/a#b?c", "/"):
            source = parse_sources(folder, "/w")[0]
            self.assertEqual(folder, source.folder)
            self.assertTrue(source.is_folder)

    def test_relative_folders_are_named_as_resolved(self):
        self.assertEqual("/w/OUT/b2", parse_sources("file://OUT/b2", "/w")[0].text)

    def test_hostile_texts_are_refused_with_the_text_and_a_mend_on_one_printable_line(self):
        texts = list(hostile_texts())
        self.assertGreater(len(texts), 200)
        for text in texts:
            with self.subTest(text=text):
                with self.assertRaises(SourceError) as caught:
                    parse_sources(text, "/w")
                message = str(caught.exception)
                self.assertTrue(message.isprintable() and message.startswith("ASSAY_BUCKET: "), message)

    def test_no_name_of_an_object_leaves_its_bucket(self):
        source = parse_sources("gs://bkt/p", "/w")[0]
        names = ["", "..", "../x", "a/b", "/a", "a\\b", "a?b", "a#b", "a%2fb", "a b", "a\n", "\0", "-x", ".x"]
        for name in names + ["a" * 300]:
            with self.subTest(name=name), self.assertRaises(SourceError):
                source.object_url(name)
        self.assertTrue(source.object_url(NAME).endswith("/p/" + NAME))

    def test_what_is_accepted_is_one_plain_address(self):
        for text in ("gs://bkt/a+b/ü", "https://h/a:b@c/~d", "https://xn--e1afmkfd.example/b"):
            parts = urllib.parse.urlsplit(urls(text)[0])
            self.assertTrue(parts.path.isascii() and parts.path.endswith("/n"))


if __name__ == "__main__":
    unittest.main()
