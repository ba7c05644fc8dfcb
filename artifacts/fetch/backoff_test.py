"""Waits grow, are random, obey the server and end with the deadline. And what the environment may say about that."""

import os
import tempfile
import unittest

from artifacts.fetch.backoff import Backoff, retry_after_seconds
from artifacts.fetch.errors import Transient
from artifacts.fetch.settings import Deadline, Settings
from artifacts.fetch.sources import SourceError
from artifacts.fetch.test_cases import FakeClock


class BackoffTest(unittest.TestCase):
    def setUp(self):
        self.time = FakeClock()
        self.settings = Settings(clock=self.time.clock, sleep=self.time.sleep, random=lambda: 1.0)

    def tries(self, seconds=1000.0, **changes):
        settings = self.settings._replace(**changes)
        return Backoff(Deadline(self.time.clock, seconds), settings)

    def test_the_bound_doubles_up_to_the_longest_wait_and_the_tries_end(self):
        tries = self.tries()
        while tries.wait(Transient("x")):
            pass
        self.assertEqual([0.5, 1, 2, 4, 8, 8, 8], self.time.slept)
        self.assertEqual("8 tries", tries.why_not)

    def test_full_jitter_takes_any_part_of_the_bound(self):
        parts = iter([0.0, 0.25, 0.5])
        tries = self.tries(random=lambda: next(parts))
        for _ in range(3):
            tries.wait(Transient("x"))
        self.assertEqual([0.0, 0.25, 1.0], self.time.slept)

    def test_progress_begins_anew(self):
        tries = self.tries(attempts=2)
        for _ in range(5):
            tries.progressed()
            self.assertTrue(tries.wait(Transient("x")))
        self.assertEqual([0.5] * 5, self.time.slept)

    def test_a_server_that_asks_for_longer_gets_it_and_for_less_does_not(self):
        tries = self.tries()
        tries.wait(Transient("x", retry_after=7.0))
        tries.wait(Transient("x", retry_after=0.0))
        self.assertEqual([7, 1], self.time.slept)

    def test_no_wait_is_begun_that_the_deadline_would_cut(self):
        tries = self.tries(seconds=3.0)
        self.assertTrue(tries.wait(Transient("x")))
        self.assertFalse(tries.wait(Transient("x", retry_after=60.0)))
        self.assertIn("2.5 s left; it asks to wait 60 s", tries.why_not)

    def test_retry_after_is_seconds_or_a_date(self):
        now = lambda: 1445412480.0  # Wed, 21 Oct 2015 07:28:00 GMT, the example of RFC 9110
        for text, want in {
            "120": 120.0,
            " 0 ": 0.0,
            "Wed, 21 Oct 2015 07:28:30 GMT": 30.0,
            "Wed, 21 Oct 2015 07:00:00 GMT": 0.0,
            "Wednesday, 21-Oct-15 07:28:30 GMT": 30.0,
            "9" * 400: 999999999.0,
        }.items():
            self.assertEqual(want, retry_after_seconds(text, now), text)
        for text in (None, "", "-5", "soon", "1.5", "٣", "Wed, 99 Oct 2015", "Wed, 21 Oct 99999999999 07:28:00 GMT"):
            self.assertIsNone(retry_after_seconds(text, now), text)


class SettingsTest(unittest.TestCase):
    def test_a_large_blob_gets_more_time_unless_the_environment_says_how_much(self):
        self.assertAlmostEqual(60, Settings().deadline_for(1000), delta=0.1)
        self.assertEqual(60 + 1024, Settings().deadline_for(1 << 30))
        self.assertEqual(5, Settings.from_environ({"ASSAY_FETCH_DEADLINE": "5"}).deadline_for(1 << 30))

    def test_parts_of_a_deadline_share_what_is_left(self):
        time = FakeClock()
        whole = Deadline(time.clock, 60)
        self.assertEqual(20, whole.part(3).left())
        time.sleep(20)
        self.assertEqual(20, whole.part(2).left())

    def test_bad_deadlines(self):
        for text in ("0", "-1", "x", "nan", "inf", "1e9", "5s"):
            with self.subTest(text=text), self.assertRaisesRegex(SourceError, "ASSAY_FETCH_DEADLINE"):
                Settings.from_environ({"ASSAY_FETCH_DEADLINE": text})

    def test_the_token_is_one_word_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t")
            for data in (b"", b"\n", b"a b", b"a\nb", b"\xff", b"a\0b", b"x" * 70000):
                with open(path, "wb") as f:
                    f.write(data)
                with self.subTest(data=data[:9]), self.assertRaisesRegex(SourceError, "ASSAY_TOKEN_FILE"):
                    Settings.from_environ({"ASSAY_TOKEN_FILE": path})
            with open(path, "wb") as f:
                f.write(b" abc\r\n")
            self.assertEqual("abc", Settings.from_environ({"ASSAY_TOKEN_FILE": path}).token)
            with self.assertRaisesRegex(SourceError, "No such file"):
                Settings.from_environ({"ASSAY_TOKEN_FILE": path + "x"})


if __name__ == "__main__":
    unittest.main()
