"""Each scripted fault does what its line in faults.py says, to the requests it names and to no other."""

import http.client
import socket
import time
import unittest
import urllib.error
import urllib.request

from artifacts.fake_gcs import faults
from artifacts.fake_gcs.faults import FaultRule
from artifacts.fake_gcs.server import FakeGcs

DATA = bytes(range(200))


class FaultsTest(unittest.TestCase):
    def setUp(self):
        self.gcs = FakeGcs()
        self.gcs.__enter__()
        self.addCleanup(self.gcs.stop)
        self.gcs.put("b", "n", DATA)

    def get(self, name="n", timeout=10):
        try:
            with urllib.request.urlopen("%s/b/%s" % (self.gcs.url, name), timeout=timeout) as answer:
                return answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            return error.code, error.read(), error.headers

    def upload(self, data=b"new"):
        address = self.gcs.url + "/upload/storage/v1/b/b/o?uploadType=media&name=up"
        return urllib.request.urlopen(urllib.request.Request(address, data, method="POST"), timeout=10).status

    def test_a_status_for_the_second_and_third_request(self):
        self.gcs.script(FaultRule(after=1, times=2, status=429, retry_after=7))
        answers = [self.get() for _ in range(4)]
        self.assertEqual([200, 429, 429, 200], [status for status, _, _ in answers])
        self.assertEqual("7", answers[1][2]["Retry-After"])
        self.assertEqual([200, 429, 429, 200], [r.status for r in self.gcs.requests])

    def test_rules_choose_by_method_object_and_path(self):
        self.gcs.put("b", "m", b"1")
        self.gcs.script(FaultRule(object="^m$", status=503), FaultRule(method="POST", status=500))
        self.gcs.script(FaultRule(path="x=1", status=404))
        self.assertEqual([503, 200, 404], [self.get(name)[0] for name in ("m", "n", "n?x=1")])
        with self.assertRaises(urllib.error.HTTPError) as caught:
            self.upload()
        self.assertEqual(500, caught.exception.code)
        caught.exception.close()

    def test_a_cut_body_announces_more_than_it_brings(self):
        self.gcs.script(FaultRule(cut_after=50, times=1))
        with self.assertRaises(http.client.IncompleteRead) as caught:
            self.get()
        self.assertEqual(DATA[:50], caught.exception.partial)
        self.assertEqual(DATA, self.get()[1])

    def test_a_stall_sends_the_beginning_and_then_nothing(self):
        self.gcs.script(FaultRule(stall_after=50, stall_seconds=60, times=1))
        begin = time.monotonic()
        with self.assertRaises((socket.timeout, TimeoutError)):
            self.get(timeout=0.2)
        self.assertLess(time.monotonic() - begin, 30)

    def test_a_reset_before_does_nothing_and_one_after_has_done_it(self):
        for when in ("before", "after"):
            self.gcs.script(FaultRule(method="POST", reset=when, times=1))
        for stored in (False, True):
            with self.assertRaises((ConnectionResetError, http.client.RemoteDisconnected, urllib.error.URLError)):
                self.upload()
            self.assertEqual(stored, "up" in self.gcs.objects("b"))

    def test_wrong_bytes_have_the_right_length(self):
        self.gcs.script(FaultRule(wrong_bytes=True, times=2))
        body = self.get()[1]
        self.assertNotEqual(DATA, body)
        self.assertEqual(len(DATA), len(body))
        self.upload()
        self.assertNotEqual(b"new", self.gcs.objects("b")["up"])
        self.assertEqual(DATA, self.get()[1])

    def test_a_page_with_200_and_a_redirect(self):
        self.gcs.script(FaultRule(html=True, times=1), FaultRule(redirect=self.gcs.url + "{path}", times=1))
        self.assertTrue(self.get()[1].startswith(b"<!DOCTYPE html"))
        self.assertEqual(DATA, self.get()[1])
        self.assertEqual([200, 302, 200], [r.status for r in self.gcs.requests])

    def test_a_call_comes_before_the_answer(self):
        self.gcs.script(FaultRule(call=lambda request: self.gcs.put("b", "n", b"another's"), times=1))
        self.assertEqual(b"another's", self.get()[1])

    def test_latency_is_waited_for(self):
        self.gcs.script(FaultRule(latency=0.05))
        begin = time.monotonic()
        self.get()
        self.assertGreaterEqual(time.monotonic() - begin, 0.05)

    def test_a_script_from_json(self):
        (rule,) = faults.load('[{"method": "PUT", "persist": 262144, "times": 1}]')
        self.assertEqual(("PUT", 262144, 1), (rule.method, rule.persist, rule.times))
        for text, complaint in (
            ("{", "not JSON"),
            ("{}", "want a list"),
            ('[{"statsu": 503}]', "rule 1: unknown statsu"),
            ('[{"call": "x"}]', "unknown call"),
        ):
            with self.assertRaisesRegex(ValueError, complaint):
                faults.load(text)


if __name__ == "__main__":
    unittest.main()
