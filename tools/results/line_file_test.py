"""Pieces of whole lines, and where to go on."""

import hashlib
import os
import tempfile
import unittest
from unittest import mock

from tools.results import line_file
from tools.results.errors import Stop
from tools.results.line_file import LineFile, StartAt


class LineFileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "file")
        smaller = mock.patch.object(line_file, "_PIECE", 1 << 17)
        smaller.start()
        self.addCleanup(smaller.stop)

    def write(self, data):
        with open(self.path, "wb") as f:
            f.write(data)

    def read(self, start=StartAt()):
        """(number of its first line, new lines) of each piece."""
        self.file, found = LineFile(self.path, start), []
        for piece in self.file.pieces():
            data, digest = piece.read()
            found.append((self.file.lines + 1, data))
            self.file.passed(piece, data.count(b"\n"), digest)
        return found

    def start(self):
        return StartAt(self.file.end, self.file.lines, self.file.sha256)

    def test_pieces_are_whole_lines_in_order(self):
        lines = [b"%d %s\n" % (n, b"x" * (n * 7 % 5000)) for n in range(1500)]
        self.write(b"".join(lines))
        pieces = self.read()
        self.assertGreater(len(pieces), 20)
        self.assertEqual(b"".join(data for _, data in pieces), b"".join(lines))
        for number, data in pieces:
            self.assertTrue(data.startswith(b"%d " % (number - 1)))
        self.assertEqual((self.file.lines, self.file.torn), (1500, 0))
        digests = b"".join(hashlib.sha256(data).digest() for _, data in pieces)
        self.assertEqual(self.file.sha256, hashlib.sha256(digests).hexdigest())

    def test_a_line_longer_than_a_piece(self):
        whole = b"a\n" + b"y" * (3 * line_file._PIECE) + b"\nb\n"
        self.write(whole)
        self.assertEqual(b"".join(data for _, data in self.read()), whole)
        self.write(whole[:-3])
        self.assertEqual((self.read(), self.file.torn), ([(1, b"a\n")], 3 * line_file._PIECE))

    def test_what_is_torn_is_left_out_of_the_digest(self):
        self.write(b"one\ntw")
        self.assertEqual(self.read(), [(1, b"one\n")])
        self.assertEqual((self.file.end, self.file.torn), (4, 2))

    def test_goes_on_only_behind_the_same_beginning(self):
        self.write(b"one\ntwo\nth")
        self.read()
        start = self.start()
        self.write(b"one\ntwo\nthree\n")
        self.assertEqual(self.read(start), [(3, b"three\n")])
        self.write(b"ONE\ntwo\nthree\n")
        self.assertEqual(self.read(start), [(1, b"ONE\ntwo\nthree\n")])
        self.write(b"on")  # shorter than it was
        self.assertEqual(self.read(start), [])

    def test_grown_step_by_step_it_is_the_same_as_read_at_once(self):
        lines = [b"%d %s\n" % (n, b"x" * (n * 7 % 5000)) for n in range(300)]
        whole, read = b"".join(lines), b""
        self.write(whole)
        self.read()
        want, start = self.start(), StartAt()
        first = len(self.read()[0][1])
        for size in (10, 3000, first - 1, first, first + 1, first + 5000, 3 * line_file._PIECE + 7, len(whole)):
            self.write(whole[:size])
            read += b"".join(data for _, data in self.read(start))
            start = self.start()
        self.assertEqual((read, start), (whole, want))

    def test_refuses_what_is_no_ordinary_file(self):
        with self.assertRaisesRegex(Stop, "not an ordinary file"):
            LineFile("/dev/null")
        with self.assertRaisesRegex(Stop, "not an ordinary file; give its file, such as .*/results.jsonl"):
            LineFile(os.path.dirname(self.path))


if __name__ == "__main__":
    unittest.main()
