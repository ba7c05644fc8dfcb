"""A compiler accepts a source with warnings, and refuses one with errors."""

import os
import subprocess
import tempfile
import unittest

from ci.mutate.lenient_source import lenient

_FAULTS = b"""#include "x.h"
struct S { int a; int b; };
static int F(int unused, unsigned count) {
  int never = 3;
  S s{.b = 2};
  if (count < 0u) return s.a + __LINE__;
  if (count = 2);
  return !(count) == 1 ? 1 : -1 < count;
}
"""


class LenientSourceTest(unittest.TestCase):
    def compile(self, source):
        with tempfile.TemporaryDirectory() as folder:
            for name, data in (("x.h", b""), ("x.cc", source)):
                with open(os.path.join(folder, name), "wb") as f:
                    f.write(data)
            done = subprocess.run(["g++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-S", "-o-", "x.cc"], cwd=folder,
                                  capture_output=True, text=True, check=False)
            return done.returncode, done.stderr

    def test_warnings_refuse_nothing_and_errors_do(self):
        self.assertIn("-Werror=unused-variable", self.compile(_FAULTS)[1])
        self.assertEqual((0, ""), self.compile(lenient("x.cc", _FAULTS)))
        self.assertNotEqual(0, self.compile(lenient("x.cc", b"int x = y;"))[0])

    def test_lines_keep_their_numbers(self):
        self.assertIn("x.cc:2:9: error", self.compile(lenient("x.cc", b"\nint x = y;"))[1])

    def test_python_stays_as_it_is(self):
        self.assertEqual(b"n = 3", lenient("tools/gate/runs.py", b"n = 3"))


if __name__ == "__main__":
    unittest.main()
