"""Pieces of whole lines, and where to go on."""

import hashlib
import os
import tempfile
import unittest

from tools.results import line_file
from tools.results.errors import Stop
from tools.results.line_file import LineFile, StartAt


class LineFileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "file")

    def write(self, data):
        with open(self.path, "wb") as f:
            f.write(data)

    def read(self, start=StartAt()):
        self.file = LineFile(self.path, start)
        return [(piece.line, piece.read()) for piece in self.file.pieces()]

    def test_pieces_are_whole_lines_in_order(self):
        lines = [b"%d %s\n" % (n, b"x" * (n * 7 % 5000)) for n in range(1500)]
        self.write(b"".join(lines))
        pieces = self.read()
        self.assertGreater(len(pieces), 2)
        self.assertEqual(b"".join(data for _, data in pieces), b"".join(lines))
        for number, data in pieces:
            self.assertTrue(data.startswith(b"%d " % (number - 1)))
        self.assertEqual((self.file.lines, self.file.torn), (1500, 0))
        self.assertEqual(self.file.sha256, hashlib.sha256(b"".join(lines)).hexdigest())

    def test_a_line_longer_than_a_piece(self):
        self.write(b"a\n" + b"y" * (3 * line_file._PIECE) + b"\nb\n")
        self.assertEqual(b"".join(data for _, data in self.read()).count(b"\n"), 3)

    def test_what_is_torn_is_left_out_of_the_digest(self):
        self.write(b"one\ntw")
        self.assertEqual(self.read(), [(1, b"one\n")])
        self.assertEqual((self.file.end, self.file.torn), (4, 2))
        self.assertEqual(self.file.sha256, hashlib.sha256(b"one\n").hexdigest())

    def test_goes_on_only_behind_the_same_beginning(self):
        self.write(b"one\ntwo\n")
        start = StartAt(4, 1, hashlib.sha256(b"one\n").hexdigest())
        self.assertEqual(self.read(start), [(2, b"two\n")])
        self.assertEqual(self.file.sha256, hashlib.sha256(b"one\ntwo\n").hexdigest())
        self.write(b"ONE\ntwo\n")
        self.assertEqual(self.read(start), [(1, b"ONE\ntwo\n")])
        self.write(b"on")  # shorter than it was
        self.assertEqual(self.read(start), [])

    def test_refuses_what_is_no_ordinary_file(self):
        with self.assertRaisesRegex(Stop, "not an ordinary file"):
            LineFile("/dev/null")
        with self.assertRaisesRegex(Stop, "not an ordinary file"):
            LineFile(os.path.dirname(self.path))


if __name__ == "__main__":
    unittest.main()
