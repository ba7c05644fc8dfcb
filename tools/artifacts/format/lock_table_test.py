"""The lock is read back as written, and what is not a lock is refused with its line."""

import os
import tempfile
import unittest

from tools.artifacts.format import lock_table
from tools.artifacts.format.lock_table import LockError, Row

ROW = Row(sha256="0123456789abcdef" * 4, size=4096, store="embedded", provenance="torchvision 0.26.0, float64, torch 2.11.0")


class LockTableTest(unittest.TestCase):
    def test_what_is_rendered_is_parsed(self):
        table = {
            "b_fp32_b2": ROW,
            "a_fp32_b2_s8": ROW._replace(store="bucket", size=1),
            "c": ROW._replace(provenance='replaced: "why" \\ not'),
        }
        self.assertEqual(table, lock_table.parse(lock_table.render(table)))
        self.assertEqual({}, lock_table.parse(lock_table.render({})))

    def test_rows_are_sorted_and_one_line_each(self):
        text = lock_table.render({"b": ROW, "a": ROW, "c": ROW})
        rows = [line for line in text.splitlines() if line.startswith("    ")]
        self.assertEqual(['    "a":', '    "b":', '    "c":'], [row.split(" {")[0] for row in rows])

    def test_nothing_but_literals_is_believed(self):
        for reason, text in {
            "exactly one assignment": "",
            "exactly one": "LOCK = {}\nLOCK = {}",
            "not a literal map": "LOCK = dict()",
            "line 2: not a row": 'LOCK = {\n"a": f(),\n}',
            "line 1: not a row of": 'LOCK = {"a": {"sha256": "0"}}',
            "not a row": "LOCK = {**x}",
            "line 1": "LOCK = {",
        }.items():
            with self.subTest(text=text), self.assertRaises(LockError) as caught:
                lock_table.parse(text)
            self.assertIn(reason, str(caught.exception))

    def test_bad_fields_are_refused_when_read_and_when_written(self):
        for key, row in {
            "Upper": ROW,
            "../up": ROW,
            "digest": ROW._replace(sha256="0" * 63),
            "hex": ROW._replace(sha256="G" * 64),
            "size": ROW._replace(size=0),
            "bool": ROW._replace(size=True),
            "store": ROW._replace(store="moon"),
            "nothing": ROW._replace(provenance=""),
            "line": ROW._replace(provenance="two\nlines"),
        }.items():
            with self.subTest(key=key), self.assertRaises(LockError):
                lock_table.render({key: row})
            text = "LOCK = {%r: %r}" % (key, row._asdict())
            with self.subTest(key=key), self.assertRaises(LockError):
                lock_table.parse(text)

    def test_a_key_that_is_there_twice_is_refused(self):
        row = repr(ROW._asdict())
        with self.assertRaisesRegex(LockError, 'key "a" is there twice'):
            lock_table.parse("LOCK = {'a': %s, 'a': %s}" % (row, row))

    def test_writing_the_same_table_does_not_touch_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lock.bzl")
            lock_table.write(path, {"a": ROW})
            os.utime(path, (1, 1))
            lock_table.write(path, {"a": ROW})
            self.assertEqual(1, os.stat(path).st_mtime)
            lock_table.write(path, {"a": ROW, "b": ROW})
            self.assertEqual({"a": ROW, "b": ROW}, lock_table.read(path))
            self.assertEqual(["lock.bzl"], os.listdir(folder))


if __name__ == "__main__":
    unittest.main()
