"""Tests each mutation operator on small Python texts, also on those that it must leave alone."""

import unittest

from ci.mutate import python_operators

# Operator, line, all that it becomes by that operator.
_LINES = [
    ("boundary", "x = a < b", ["x = a <= b"]),
    ("boundary", "x = a <= b", ["x = a < b"]),
    ("boundary", "x = a > b >= c", ["x = a >= b >= c", "x = a > b > c"]),
    ("branch", "x = a == b", ["x = a != b"]),
    ("branch", "x = a != b", ["x = a == b"]),
    ("branch", "x = a in b", ["x = a not in b"]),
    ("branch", "x = a not in b", ["x = a in b"]),
    ("branch", "x = a is None", ["x = a is not None"]),
    ("branch", "x = a is not None", ["x = a is None"]),
    ("branch", "x = inside in index", ["x = inside not in index"]),
    ("branch", "x = (a) == (b)", ["x = (a) != (b)"]),
    ("branch", "if a: b()", ["if not (a): b()"]),
    ("branch", "x = a if f(b) else c", ["x = a if not (f(b)) else c"]),
    ("branch", "if a < b: c()", []),
    ("branch", "while a: b()", []),
    ("logic", "x = a and b and c", ["x = a or b and c", "x = a and b or c"]),
    ("logic", "x = a or band", ["x = a and band"]),
    ("logic", "x = not a", ["x =  a"]),
    ("logic", "x = not (a or b)", ["x =  (a or b)", "x = not (a and b)"]),
    ("sign", "x = a + b", ["x = a - b"]),
    ("sign", "x = a - 1", ["x = a + 1"]),
    ("sign", "x = -(a)", ["x = (a)"]),
    ("sign", "x = 'a' + b", []),
    ("sign", "x = a + 'b' + c", []),
    ("sign", "x = [a] + b", []),
    ("product", "x = a * b", ["x = a / b"]),
    ("product", "x = a / b", ["x = a * b"]),
    ("product", "x = a // b", ["x = a * b"]),
    ("product", "x = a % b", ["x = a // b"]),
    ("product", "x = '%d' % b", []),
    ("product", "x = ('%d' + c) % b", []),
    ("constant", "x = 3", ["x = 4", "x = 2"]),
    ("constant", "x = 0", ["x = 1"]),
    ("constant", "x = a[1:]", ["x = a[2:]"]),
    ("constant", "x = 'a 3'", []),
    ("constant", "x = None", []),
    ("fraction", "x = 0.5", ["x = 0.55"]),
    ("fraction", "x = 0.0", ["x = 1.0"]),
    ("flag", "x = f(key=True)", ["x = f(key=False)"]),
    ("flag", "x = f(gc=False, frozen=True, other=True)", ["x = f(gc=False, frozen=True, other=False)"]),
    ("flag", "class A(B, frozen=True, strict=True): pass", ["class A(B, frozen=True, strict=False): pass"]),
    ("function", "x = max(a, b)", ["x = min(a, b)"]),
    ("function", "x = any(a)", ["x = all(a)"]),
    ("function", "x = a.max()", []),
    ("dropped statement", "a.append(b)", ["pass"]),
    ("dropped statement", "x += 1", ["pass"]),
    ("dropped statement", "x = f()", []),
    ("dropped statement", "'a text'", []),
    ("dropped statement", "yield a", []),
    ("dropped statement", "for x in y: continue", ["for x in y: pass"]),
]
# Annotations, decorators and what a raise says; what starts a program; text that is no code; the garbage collector.
_LEFT_ALONE = [
    "raise Stop(3, 'want %d' % (a + 1))",
    "x: Annotated[int, Meta(ge=0)]",
    "def f(a: Meta(1)) -> Meta(2): return a",
    "@cache(maxsize=3)\ndef f(): return a",
    "if __name__ == '__main__': sys.exit(main(1))",
    "x = f'{a + 1}'",
    "# x = 3 + 4",
    "x = ((",
    "x = a  # 3",
    "gc.disable()",
]


def _changed(text, operator=None):
    data = text.encode()
    return [change.applied(data).decode() for name, change in python_operators.changes(data) if operator in (None, name)]


class PythonOperatorsTest(unittest.TestCase):
    def test_lines(self):
        for operator, line, wanted in _LINES:
            with self.subTest(operator=operator, line=line):
                self.assertEqual(wanted, _changed(line, operator))

    def test_lines_that_are_left_alone(self):
        for text in _LEFT_ALONE:
            with self.subTest(text=text):
                self.assertEqual([], _changed(text))

    def test_whether_it_is_raised_is_not_left_alone(self):
        self.assertEqual(["if a >= 3: raise Stop(1)", "if a > 4: raise Stop(1)", "if a > 2: raise Stop(1)"],
                         _changed("if a > 3: raise Stop(1)"))

    def test_places_are_bytes_and_lines_of_the_file(self):
        text = "x = 'ä…'; y = a < b\n\nif c:\n    d(\n        'ü'\n    )\n"
        self.assertEqual([text.replace("<", "<="), text.replace("if c", "if not (c)"), "x = 'ä…'; y = a < b\n\nif c:\n    pass\n"],
                         _changed(text))

    def test_a_comment_between_hides_an_operator(self):
        self.assertEqual([], _changed("x = (a  # < b\n     < b)"))

    def test_each_is_python(self):
        for _, line, _ in _LINES:
            if not line.startswith("yield"):
                for text in _changed(line):
                    compile(text, "x.py", "exec")


if __name__ == "__main__":
    unittest.main()
