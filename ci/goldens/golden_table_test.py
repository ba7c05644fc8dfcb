"""Rows, tables and differences of goldens."""

import os
import tempfile
import unittest
import zipfile

from ci.goldens import golden_table

_LINES = [
    "parameters 12",
    "flops 34",
    "input x float32 2x3",
    "norm batch_norm eps 1e-05 momentum 0.1 x1 bn",
    "drops elements 0.5",
    "state bn.weight float32 3",
]
# By sha256sum, of lines 3 and 6, and of lines 4 and 5; benchmarks/harness/goldens/golden_table_test.cc has the same.
_ROW = "tiny 12 34 45a470bd7c2be51a f50a96188bdde06f"


class GoldenTableTest(unittest.TestCase):
    def test_a_row_holds_the_numbers_and_two_digests(self):
        self.assertEqual(golden_table.row("tiny", _LINES), _ROW)

    def test_each_line_and_their_order_count_in_one_column_alone(self):
        for column, i in ((1, 0), (2, 1), (3, 2), (4, 3), (4, 4), (3, 5)):
            changed = list(_LINES)
            changed[i] += "7"
            words = zip(golden_table.row("tiny", changed).split(), _ROW.split())
            self.assertEqual([a != b for a, b in words], [i == column for i in range(5)])
        swapped = _LINES[:2] + [_LINES[5], _LINES[2]]
        self.assertNotEqual(golden_table.row("tiny", swapped).split()[3], _ROW.split()[3])

    def test_a_table_says_who_made_it_and_has_its_rows_by_name(self):
        self.assertEqual(
            golden_table.table("torch 1, by reference.py", ["b 1 2 3 4", "a 5 6 7 8"]),
            "# torch 1, by reference.py\n# model parameters flops state training\na 5 6 7 8\nb 1 2 3 4\n",
        )

    def test_what_a_test_wrote_is_read_from_the_file_or_from_the_archive_that_bazel_made_of_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tiny.txt")
            with zipfile.ZipFile(os.path.join(folder, "outputs.zip"), "w") as archive:
                archive.writestr("tiny.txt", "packed 1\n")
            self.assertEqual(golden_table.written_lines(path), ["packed 1"])
            with open(path, "w", encoding="utf-8") as file:
                file.write("parameters 1\nflops 2\n")
            self.assertEqual(golden_table.written_lines(path), ["parameters 1", "flops 2"])
            with self.assertRaises(FileNotFoundError):
                golden_table.written_lines(os.path.join(folder, "other.txt"))

    def test_a_difference_shows_the_lines_that_differ(self):
        ours = _LINES[:5] + ["state bn.weight float32 4"]
        lines = golden_table.diff(_LINES, ours, "models/tiny/reference.py").splitlines()
        self.assertEqual(lines[:2], ["--- models/tiny/reference.py", "+++ our C++"])
        self.assertEqual([line for line in lines[2:] if line[0] in "+-"], ["-" + _LINES[5], "+" + ours[5]])
        self.assertEqual(golden_table.diff(_LINES, _LINES, "models/tiny/reference.py"), "")


if __name__ == "__main__":
    unittest.main()
