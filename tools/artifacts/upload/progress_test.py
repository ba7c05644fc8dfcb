"""Progress says objects, bytes and what is left, and keeps a log short; the worst result chooses the exit code."""

import errno
import io
import unittest
from unittest import mock

from tools.artifacts.upload import report
from tools.artifacts.upload.bucket import ABSENT, CREATED, THERE
from tools.artifacts.upload.local_blobs import Item
from tools.artifacts.upload.progress import Progress
from tools.artifacts.upload.sending import DIFFERENT, FAILED, NOT_SENT, Result

_ITEMS = [Item("n%d" % n, 1000, "0" * 64, "/x", ("key",)) for n in range(100)]


class Terminal(io.StringIO):
    def isatty(self):
        return True


class ProgressTest(unittest.TestCase):
    def run_all(self, stream, seconds_each):
        now = [0.0]
        progress = Progress(_ITEMS, stream, lambda: now[0])
        for item in _ITEMS:
            now[0] += seconds_each
            progress.done(item)
        progress.close()
        return stream.getvalue()

    def test_a_log_gets_a_line_every_ten_seconds_with_an_estimate(self):
        lines = self.run_all(io.StringIO(), 0.5).splitlines()
        self.assertEqual(5, len(lines))
        self.assertEqual("20 of 100 objects, 20.0 kB of 100.0 kB, about 40 s left", lines[0])
        self.assertEqual("", self.run_all(io.StringIO(), 0.01))

    def test_a_terminal_gets_one_line_rewritten(self):
        text = self.run_all(Terminal(), 0.5)
        self.assertEqual(1, text.count("\n"))
        self.assertTrue(text.endswith("100 of 100 objects, 100.0 kB of 100.0 kB\x1b[K\n"), text[-80:])

    def test_an_output_that_fails_stops_nothing(self):
        full = Terminal()
        full.flush = mock.Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))
        self.assertIn("100 of 100 objects", self.run_all(full, 1))
        self.assertEqual(101, full.flush.call_count)

    def test_exit_codes(self):
        for states, code in (
            ((CREATED, THERE), 0),
            ((CREATED, FAILED), 2),
            ((NOT_SENT,), 2),
            ((FAILED, DIFFERENT, CREATED), 1),
            ((CREATED, ABSENT), 2),
            ((CREATED, "a state that is none"), 2),
        ):
            self.assertEqual(code, report.exit_code([Result(item, state) for item, state in zip(_ITEMS, states)]))


if __name__ == "__main__":
    unittest.main()
