"""Rows 1 to 11 of the fault table: a source that misbehaves.

Nearly all run against the fake bucket, on a fake clock.
"""

import errno
import gzip
import os
import socket
import time
import unittest
from unittest import mock

from artifacts.fetch.errors import Unavailable, WrongContent
from artifacts.fetch.test_cases import DATA, FetchTest, RawServer, answer, blob_of, closed_port
from artifacts.fake_gcs.faults import FaultRule

HALF = len(DATA) // 2
WRONG = DATA[:-1] + b"x"


class CutBodies(FetchTest):
    def test_row_01_a_cut_body_goes_on_where_it_was_cut_pinned_to_its_generation(self):
        self.put()
        self.gcs.script(FaultRule(times=1, cut_after=HALF))
        self.assertEqual(DATA, self.fetch())
        resumed = self.gcs.requests[1].headers
        self.assertEqual("bytes=%d-" % HALF, resumed["range"])
        self.assertTrue(resumed["x-goog-if-generation-match"].isdigit())
        self.assertEqual([200, 206], self.statuses())

    def test_row_01_many_cuts_end_well_as_long_as_each_try_brings_something(self):
        self.put()
        self.gcs.script(FaultRule(times=20, cut_after=9000))
        self.assertEqual(DATA, self.fetch())
        self.assertEqual(21, len(self.gcs.requests))

    def test_row_01_when_no_more_bytes_come_the_message_counts_them(self):
        self.put()
        self.gcs.script(FaultRule(times=1, cut_after=HALF), FaultRule(cut_after=0))
        self.assertIn("got %d of %d bytes" % (HALF, len(DATA)), self.fails(Unavailable))

    def test_a_server_without_ranges_is_asked_from_the_start(self):
        cut = answer(DATA[:HALF], length=len(DATA))
        with RawServer(cut, cut, cut, answer(DATA)) as url:
            self.assertEqual(DATA, self.fetch(url + "/b"))

    def test_a_body_of_unknown_length_that_ends_early_is_a_cut_one(self):
        with RawServer(b"HTTP/1.0 200 OK\r\n\r\n" + DATA[:HALF], b"HTTP/1.0 200 OK\r\n\r\n" + DATA) as url:
            self.assertEqual(DATA, self.fetch(url + "/b"))

    def test_a_body_that_came_whole_needs_no_end_of_the_connection(self):
        self.settings = self.settings._replace(stall=0.5)
        with RawServer(b"HTTP/1.0 200 OK\r\n\r\n" + DATA, drip=b"") as url:
            self.assertEqual(DATA, self.fetch(url + "/b"))

    def test_a_body_without_end_fills_no_disk(self):
        with RawServer(b"HTTP/1.0 200 OK\r\n\r\n" + DATA, drip=b"x" * 1000) as url:
            self.assertIn("is larger than the %d bytes" % len(DATA), self.fails(WrongContent, url + "/b"))

    def test_a_part_that_was_not_asked_for_is_not_spliced_in(self):
        wrong_part = b"Content-Range: bytes %d-%d/%d" % (HALF - 1, len(DATA) - 1, len(DATA))
        part = answer(DATA[HALF - 1 :], wrong_part, status=b"206 Partial Content")
        with RawServer(answer(DATA[:HALF], length=len(DATA)), part, answer(DATA)) as url:
            self.assertEqual(DATA, self.fetch(url + "/b"))

    def test_a_reset_is_tried_again(self):
        self.put()
        self.gcs.script(FaultRule(times=3, reset="before"))
        self.assertEqual(DATA, self.fetch())


class WrongBytes(FetchTest):
    def test_row_02_wrong_bytes_are_asked_for_once_kept_and_shown_with_both_digests(self):
        self.put(WRONG)
        message = self.fails(WrongContent)
        self.assertIn(self.blob.sha256, message)
        self.assertEqual([200], self.statuses())
        self.assertIn(".bad-" + self.blob.sha256[:8], self.kept())
        for cause in ("error or log-in page", "rate limit", "overwritten", "Content-Encoding"):
            self.assertIn(cause, message)

    def test_row_02_the_next_mirror_is_asked(self):
        self.put(WRONG)
        self.put(bucket="mirror")
        self.assertEqual(DATA, self.fetch("b", "mirror"))
        self.assertIn("another digest", self.lines[-1])

    def test_row_02_the_wrong_bytes_are_kept_whatever_the_other_sources_say(self):
        self.put(WRONG)
        kept = os.path.join(self.cache_folder, ".bad-" + self.blob.sha256[:8])
        for mirror in (None, DATA):
            if mirror:
                self.put(mirror, bucket="mirror")
                self.assertEqual(DATA, self.fetch("b", "mirror"))
            else:
                self.fails(WrongContent, "b", "mirror")
            with open(kept, "rb") as f:
                self.assertEqual(WRONG, f.read())
            os.unlink(kept)

    def test_row_02_the_first_half_of_one_source_is_not_joined_to_the_second_of_another(self):
        self.put(b"x" * len(DATA))
        self.put(bucket="mirror")
        self.gcs.script(FaultRule(path="^/b/", times=1, cut_after=HALF), FaultRule(path="^/b/", status=404))
        self.assertEqual(DATA, self.fetch("b", "mirror"))

    def test_row_02_wrong_bytes_anywhere_outweigh_silence_elsewhere(self):
        self.put(WRONG)
        self.assertIn("404", self.fails(WrongContent, "b", "mirror"))

    def test_row_02_the_kept_file_holds_what_came(self):
        self.put(WRONG)
        self.fails(WrongContent)
        with open(self.cache_folder + "/.bad-" + self.blob.sha256[:8], "rb") as f:
            self.assertEqual(WRONG, f.read())

    def test_row_07_a_page_with_200_is_called_a_page(self):
        self.put()
        self.gcs.script(FaultRule(html=True))
        message = self.fails(WrongContent)
        self.assertIn('body starts with "<!doctype"', message)
        self.assertIn("the lock says %d" % len(DATA), message)

    def test_row_07_also_where_the_page_is_longer_than_the_blob(self):
        self.blob = blob_of(b"tiny")
        self.put(b"tiny")
        self.gcs.script(FaultRule(html=True))
        self.assertIn('body starts with "<!doctype"', self.fails(WrongContent))

    def test_an_empty_answer(self):
        self.put(b"")
        self.assertIn("has 0 bytes", self.fails(WrongContent))
        self.assertEqual([], self.kept())

    def test_a_longer_object_is_not_downloaded(self):
        self.put(DATA + b"x" * 5_000_000)
        self.assertIn("has %d bytes, the lock says %d" % (len(DATA) + 5_000_000, len(DATA)), self.fails(WrongContent))

    def test_row_07_also_where_its_length_is_only_said_at_its_end(self):
        chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n<html>\r\n"
        with RawServer(chunks, chunks + b"0\r\n\r\n") as url:  # the first is cut
            self.assertIn('body starts with "<html"', self.fails(WrongContent, url + "/b"))
        self.assertEqual(1, len(self.time.slept))

    def test_a_shorter_object_is_not_a_cut_one(self):
        self.put(DATA[:HALF])
        self.assertIn("has %d bytes" % HALF, self.fails(WrongContent))
        self.assertEqual(1, len(self.gcs.requests))

    def test_row_10_an_object_overwritten_since_the_lock_was_written_is_never_accepted(self):
        self.put()
        self.put(WRONG)  # the bucket allowed it
        self.assertIn("another digest", self.fails(WrongContent))

    def test_row_11_a_compressed_answer_is_refused_with_a_word_why(self):
        self.put()
        self.fetch()
        self.assertEqual("identity", self.gcs.requests[0].headers["accept-encoding"])
        self.cache_folder += "2"
        with RawServer(answer(gzip.compress(DATA), b"Content-Encoding: gzip")) as url:
            self.assertIn("Content-Encoding: gzip although asked not to", self.fails(WrongContent, url + "/b"))


class OddAnswers(FetchTest):
    """Row 65: a missing or odd answer does not mean that the bytes are others."""

    def test_row_65_headers_that_were_cut_are_no_answer(self):
        cut, part = answer(DATA[:HALF], length=len(DATA)), b"HTTP/1.1 206 Partial Content\r\nContent-Ra"
        rest = answer(DATA[HALF:], b"Content-Range: bytes %d-%d/%d" % (HALF, len(DATA) - 1, len(DATA)), status=b"206 x")
        short = b"HTTP/1.1 200 OK\r\nContent-Length: 30"  # of 307200
        with RawServer(short, cut, part, part, part + b"\r\n", rest) as url:
            self.assertEqual(DATA, self.fetch(url + "/b"))
        self.assertIn("5 tries failed there: connection reset (4 times)", self.lines[0])

    def test_row_65_a_server_that_refuses_every_range_is_asked_for_the_whole(self):
        for status in (b"416 Range Not Satisfiable", b"206 Partial Content"):
            refused, cut = answer(b"", status=status), answer(DATA[:HALF], length=len(DATA))
            ranges = lambda whole: lambda asked, r=refused: r if b"\r\nRange:" in asked else whole
            with self.subTest(status=status):
                with RawServer(*[ranges(cut)] * 4, ranges(answer(DATA))) as url:
                    self.assertEqual(DATA, self.fetch(url + "/b"))
                self.cache_folder += "2"
                with RawServer(ranges(cut)) as url:
                    self.assertIn("got %d of %d bytes" % (HALF, len(DATA)), self.fails(Unavailable, url + "/b"))

    def test_row_65_early_hints_and_other_words_before_the_answer_are_passed_over(self):
        hints = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nContent-Length: 5\r\n\r\n"
        with RawServer(b"HTTP/1.1 100 Continue\r\n\r\n" + hints + hints + answer(DATA)) as url:
            self.assertEqual(DATA, self.fetch(url + "/b"))
        self.assertEqual([], self.lines)


class OddObjects(FetchTest):
    """Row 66: a fault of one object says nothing about the other objects of its source."""

    def odd(self, *answers):
        """A blob that cannot be fetched, for each of these reasons, leaves all tries to the source's next blob."""
        for i, rule in enumerate(answers):
            with self.subTest(rule=rule):
                self.cache_folder += str(i)
                self.gcs.script(rule)
                self.fails(Unavailable)
                self.gcs.faults.clear()
                self.gcs.script(FaultRule(times=1, status=503))
                self.assertEqual(DATA, self.fetch())

    def test_row_66_one_odd_object_does_not_bury_its_source(self):
        self.put()
        server = RawServer(answer(b"", status=b"503 Busy"))
        busy = server.__enter__()
        self.addCleanup(server.__exit__)
        self.odd(
            FaultRule(redirect="ftp://h/x"),
            FaultRule(redirect=busy + "/x"),
            FaultRule(redirect="http://127.0.0.1:%d/x" % closed_port()),
            FaultRule(redirect=self.gcs.url.replace("http:", "https:") + "/x"),
            FaultRule(redirect="{path}"),
            FaultRule(status=400),
            FaultRule(cut_after=0),
        )

    def test_row_66_a_source_whose_object_is_broken_is_still_asked_again_after_the_others(self):
        self.put()
        self.gcs.script(FaultRule(path="^/b/", times=5, cut_after=0))
        self.assertEqual(DATA, self.fetch("b", "mirror"))

    def test_row_66_limits_of_this_machine_are_no_fault_of_a_server(self):
        self.put()
        with mock.patch("socket.create_connection", side_effect=OSError(errno.EMFILE, os.strerror(errno.EMFILE))):
            self.assertIn("Too many open files", self.fails(Unavailable))
        self.assertEqual([], self.time.slept)
        self.gcs.script(FaultRule(times=1, status=503))
        self.assertEqual(DATA, self.fetch())


class Overwritten(FetchTest):
    def test_row_09_an_object_that_changes_between_ranges_costs_one_restart(self):
        self.put(WRONG)
        self.gcs.script(FaultRule(times=1, cut_after=HALF), FaultRule(times=1, call=lambda _: self.put()))
        self.assertEqual(DATA, self.fetch())
        self.assertEqual([200, 412, 200], self.statuses())

    def test_row_09_twice_is_wrong_content(self):
        self.put(WRONG)
        self.gcs.script(FaultRule(times=1, cut_after=HALF), FaultRule(times=1, call=lambda _: self.put()))
        self.gcs.script(FaultRule(times=1, cut_after=HALF), FaultRule(times=1, call=lambda _: self.put()))
        self.assertIn("changes while it is read", self.fails(WrongContent))
        self.assertEqual([200, 412, 200, 412], self.statuses())


class Busy(FetchTest):
    def test_row_03_a_busy_server_is_waited_for_and_told_in_one_line(self):
        self.put()
        self.gcs.script(FaultRule(times=1, status=503), FaultRule(times=1, status=429, retry_after=7))
        self.assertEqual(DATA, self.fetch())
        self.assertEqual([0.5, 7], self.time.slept)
        self.assertEqual(1, len(self.lines))
        self.assertIn("2 tries failed there: 503 ", self.lines[0])

    def test_row_03_each_status_that_may_pass(self):
        self.put()
        for status in (408, 429, 500, 502, 503, 504):
            with self.subTest(status=status):
                self.gcs.script(FaultRule(times=1, status=status))
                self.cache_folder += "x"
                self.assertEqual(DATA, self.fetch())

    def test_row_03_a_wait_longer_than_the_deadline_is_not_begun(self):
        self.put()
        self.gcs.script(FaultRule(status=429, retry_after=3600))
        self.assertIn("it asks to wait 3600 s", self.fails(Unavailable))
        self.assertEqual([], self.time.slept)

    def test_a_good_fetch_says_nothing(self):
        self.put()
        self.fetch()
        self.assertEqual([], self.lines)

    def test_row_04_busy_for_ever_ends_by_the_deadline(self):
        self.gcs.script(FaultRule(status=503))
        self.settings = self.settings._replace(deadline=20.0, attempts=1000)
        began = self.time.now
        self.assertIn("503", self.fails(Unavailable))
        self.assertLessEqual(self.time.now - began, 20)

    def test_row_04_names_that_do_not_resolve_and_ports_that_do_not_listen(self):
        self.settings = self.settings._replace(attempts=2)
        with mock.patch("socket.getaddrinfo", side_effect=socket.gaierror(socket.EAI_NONAME, "unknown")):
            self.assertIn("host name not found", self.fails(Unavailable, "http://nowhere.invalid/b"))
        self.assertIn("connection refused", self.fails(Unavailable, "http://127.0.0.1:%d/b" % closed_port()))

    def test_row_04_a_tls_error_is_not_tried_again(self):
        url = "https" + self.gcs.url[len("http") :]
        self.assertIn("TLS: ", self.fails(Unavailable, url + "/b"))
        self.assertEqual([], self.time.slept)

    def test_row_05_a_stall_is_cut_and_the_rest_asked_for(self):
        self.put()
        self.settings = self.settings._replace(stall=0.5)
        self.gcs.script(FaultRule(times=1, stall_after=HALF, stall_seconds=20))
        began = time.monotonic()
        self.assertEqual(DATA, self.fetch())
        self.assertLess(time.monotonic() - began, 20)  # the stall
        self.assertIn("no byte for 0.5 s", self.lines[0])
        self.assertEqual("bytes=%d-" % HALF, self.gcs.requests[1].headers["range"])

    def test_row_05_headers_that_drip_end_by_the_deadline(self):
        self.settings = self.settings._replace(deadline=0.5, attempts=1, clock=time.monotonic)
        began = time.monotonic()
        with RawServer(b"HTTP/1.1 200 OK\r\nX-Slow: ", drip=b"x") as url:
            self.fails(Unavailable, url + "/b")
        self.assertLess(time.monotonic() - began, 50)  # without a deadline it never ends


class Closed(FetchTest):
    def test_row_06_a_closed_bucket_is_asked_once_and_named_with_the_mirror(self):
        self.gcs.script(FaultRule(path="^/b/", status=403))
        message = self.fails(Unavailable, "b", "mirror")
        self.assertEqual([403, 404], self.statuses())
        self.assertIn("%s/b is closed to us" % self.gcs.url, message)
        self.assertIn("asked anonymous", message)
        self.assertIn("%s/mirror" % self.gcs.url, message)
        self.assertEqual([], self.time.slept)

    def test_row_06_401_and_404_likewise(self):
        for status in (401, 404):
            with self.subTest(status=status):
                self.gcs.script(FaultRule(times=1, status=status))
                self.assertIn(str(status), self.fails(Unavailable))
        self.assertEqual([401, 404], self.statuses())

    def test_row_06_the_next_source_is_asked(self):
        self.put(bucket="mirror")
        self.gcs.script(FaultRule(path="^/b/", status=403))
        self.assertEqual(DATA, self.fetch("b", "mirror"))

    def test_a_dead_source_is_remembered_for_a_minute_and_asked_last(self):
        self.put(bucket="mirror")
        dead = "http://127.0.0.1:%d/b" % closed_port()
        self.fetch(dead, "mirror")
        self.assertEqual(2, len(self.time.slept))  # three tries
        self.cache_again()
        self.fetch(dead, "mirror")
        self.assertEqual(2, len(self.time.slept))
        self.time.now += 61
        self.cache_again()
        self.fetch(dead, "mirror")
        self.assertEqual(4, len(self.time.slept))

    def test_the_only_source_still_gets_one_try_when_it_is_known_to_be_dead(self):
        self.put()
        self.gcs.script(FaultRule(times=8, status=503))
        self.fails(Unavailable)
        self.assertEqual(DATA, self.fetch())

    def test_a_source_that_answers_again_is_no_longer_dead(self):
        self.put()
        self.gcs.script(FaultRule(times=8, status=503))
        self.fails(Unavailable)
        self.fetch()
        self.put(bucket="mirror")
        self.cache_again()
        self.fetch("b", "mirror")
        self.assertTrue(self.gcs.requests[-1].path.startswith("/b/"))

    def test_a_source_that_recovers_late_is_asked_again_after_the_others(self):
        self.put()
        self.gcs.script(FaultRule(path="^/b/", times=5, status=503))
        self.assertEqual(DATA, self.fetch("b", "mirror"))

    def cache_again(self):
        """Forgets the blob, not the dead sources."""
        os.unlink(os.path.join(self.cache_folder, self.blob.name))


if __name__ == "__main__":
    unittest.main()
