"""Which mutants are found and drawn, and what a mutant says of itself."""

import unittest

from ci.mutate import mutants

_TEXT = b"""#include <ATen/ops/cat.h>

at::Tensor F(at::Tensor x, at::Tensor y) {
  x = x.add(y, 2);
  x = x.add(y, 2);
  return at::cat({x,
                  y}, 3);
}
"""


def _find(text=_TEXT):
    return mutants.find("swin", "models/swin/swin.cc", text)


class FindTest(unittest.TestCase):
    def test_each_text_comes_once_and_differs_from_the_original(self):
        texts = [mutant.mutated(_TEXT) for mutant in _find()]
        self.assertEqual(len(texts), len({_TEXT, *texts}) - 1)

    def test_ids_are_unique_and_outlive_a_move_of_lines(self):
        ids = [mutant.id for mutant in _find()]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual(ids, [mutant.id for mutant in _find(b"// moved\n\n" + _TEXT)])

    def test_lines_that_read_the_same_are_told_apart_by_their_number(self):
        same = [mutant for mutant in _find() if mutant.after == "x = x.sub(y, 2);"]
        self.assertEqual([(4, 0), (5, 1)], [(mutant.line, mutant.nth) for mutant in same])

    def test_a_change_over_two_lines_names_both(self):
        order = [mutant for mutant in _find() if mutant.operator == "order" and mutant.line == 6]
        self.assertEqual("return at::cat({y, x}, 3);", order[0].after)
        self.assertEqual("return at::cat({x, y}, 3);", order[0].before)

    def test_the_diff_names_file_and_lines(self):
        sub = next(mutant for mutant in _find() if mutant.after == "x = x.sub(y, 2);")
        self.assertEqual([
            "--- a/models/swin/swin.cc", "+++ b/models/swin/swin.cc", "@@ -3,3 +3,3 @@",
            " at::Tensor F(at::Tensor x, at::Tensor y) {", "-  x = x.add(y, 2);", "+  x = x.sub(y, 2);", "   x = x.add(y, 2);",
        ], sub.difference(_TEXT).splitlines())

    def test_a_file_that_is_no_utf8_or_no_cpp_has_no_mutants_and_breaks_nothing(self):
        self.assertEqual([], mutants.find("x", "x.cc", b""))
        mutants.find("x", "x.cc", b"}}}} 3 < ( \xff\xfe ,,, class")


class PythonTest(unittest.TestCase):
    def test_python_is_told_by_its_name(self):
        found = mutants.find("python", "tools/gate/x.py", b"def f(a):\n    return a < 3\n")
        self.assertEqual([("boundary", "return a <= 3"), ("constant", "return a < 4"), ("constant", "return a < 2")],
                         [(mutant.operator, mutant.after) for mutant in found])
        self.assertEqual([("python", "tools/gate/x.py", 2)] * 3, [mutant[1:4] for mutant in found])
        self.assertEqual([], mutants.find("python", "x.py", b"def f(:\n\xff"))


class DrawTest(unittest.TestCase):
    def test_the_same_seed_draws_the_same_and_another_seed_others(self):
        found = _find()
        self.assertEqual(mutants.draw(found, 5, 7), mutants.draw(found, 5, 7))
        self.assertNotEqual(mutants.draw(found, 5, 7), mutants.draw(found, 5, 8))

    def test_more_begin_with_the_same(self):
        found = _find()
        self.assertEqual(mutants.draw(found, 3, 1), mutants.draw(found, 6, 1)[:3])

    def test_kinds_of_fault_take_turns(self):
        found = _find()
        kinds = {mutant.operator for mutant in found}
        self.assertEqual(kinds, {mutant.operator for mutant in mutants.draw(found, len(kinds), 0)})

    def test_all_where_there_are_fewer(self):
        found = _find()
        self.assertEqual(sorted(found), sorted(mutants.draw(found, 1000, 0)))
        self.assertEqual([], mutants.draw([], 3, 0))


if __name__ == "__main__":
    unittest.main()
