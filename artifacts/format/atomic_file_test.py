"""A file is replaced as a whole or stays as it was, and nothing is left beside it."""

import os
import tempfile
import unittest

from artifacts.format import atomic_file


class AtomicFileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "t")

    def content(self):
        self.assertEqual(["t"], os.listdir(os.path.dirname(self.path)))
        with open(self.path, "rb") as f:
            return f.read()

    def test_a_write_replaces_what_was_there(self):
        atomic_file.write(self.path, b"old")
        atomic_file.write(self.path, b"new")
        self.assertEqual(b"new", self.content())

    def test_a_write_that_fails_leaves_the_old_file_and_no_other(self):
        atomic_file.write(self.path, b"old")
        with self.assertRaises(TypeError):
            atomic_file.write(self.path, "not bytes")
        with self.assertRaises(KeyboardInterrupt), atomic_file.opened(self.path) as f:
            f.write(b"half")
            raise KeyboardInterrupt
        self.assertEqual(b"old", self.content())

    def test_until_the_end_of_the_block_the_old_file_is_seen(self):
        atomic_file.write(self.path, b"old")
        with atomic_file.opened(self.path) as f:
            f.write(b"new")
            f.flush()
            with open(self.path, "rb") as seen:
                self.assertEqual(b"old", seen.read())
        self.assertEqual(b"new", self.content())

    def test_a_file_that_another_library_has_written_takes_the_name(self):
        atomic_file.write(self.path, b"old")
        made = self.path + ".made"
        with open(made, "wb") as f:
            f.write(b"new")
        atomic_file.place(made, self.path)
        self.assertEqual(b"new", self.content())


if __name__ == "__main__":
    unittest.main()
