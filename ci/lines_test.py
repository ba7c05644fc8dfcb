"""Product, tests and instruments are told apart by path, and their lines are added by room, on made-up files."""

import unittest

from ci import lines


class Kinds(unittest.TestCase):
    def test_product(self):
        for path in ("models/gpt2/gpt2.cc", "tools/suite/program/mutex.h", "tools/results/formats/google_benchmark.py", "benchmark.py",
                     "tools/report/page.js", "defs/proto/suite.proto", "benchmarks/benchmark_program.cc"):
            self.assertEqual(lines.kind_of(path), "product", path)

    def test_tests_also_those_of_instruments(self):
        for path in ("tools/gate/gate_test.py", "models/testing/seeded.h", "models/x/testdata/made.py", "artifacts/fake_gcs/server.py",
                     "tools/processes/fake_tree.h", "tools/results/test_files.py", "ci/lines_test.py", "tools/compare/compare_test.sh"):
            self.assertEqual(lines.kind_of(path), "tests", path)

    def test_instruments(self):
        for path in ("ci/lines.py", "ci/certify/main.cc", "ci/certify/main.cc", "benchmarks/harness/simulated_gpu/kernel.cc",
                     "tools/gate/benchmark.py", "benchmarks/harness/statistics/tests/statistics_benchmark.cc"):
            self.assertEqual(lines.kind_of(path), "instruments", path)

    def test_what_is_not_counted(self):
        for path in ("README.md", "ci/BUILD.bazel", "benchmarks/mlp/lock.bzl", "docs/report.png", "tools/bazel"):
            self.assertIsNone(lines.kind_of(path), path)


class Table(unittest.TestCase):
    def test_lines_are_added_by_room_and_the_largest_room_is_first(self):
        files = [("defs/a.py", b"1\n2\n"), ("defs/a_test.py", b"1\n"), ("defs/BUILD.bazel", b"1\n"), ("README.md", b"1\n"),
                 ("benchmarks/harness/base/a.h", b"1\n2\n3\n"), ("benchmarks/harness/base/b.cc", b"1\nno end of line"),
                 ("setup.py", b"")]
        self.assertEqual([row.split() for row in lines.table(lines.count(files))], [
            ["room", "product", "tests", "instruments"],
            ["benchmarks/harness/base", "4", "0", "0"],
            ["defs", "2", "1", "0"],
            [".", "0", "0", "0"],
            ["sum", "6", "1", "0"],
        ])


if __name__ == "__main__":
    unittest.main()
