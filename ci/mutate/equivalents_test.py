"""The file of equivalent mutants: what it matches, what is stale, what is refused."""

import json
import unittest

from tools.processes.command import SurroundingsError
from ci.mutate import mutants
from ci.mutate.equivalents import PATH, Equivalents

_ENTRY = {"file": "models/x/x.cc", "line": "n = a + b;", "replacement": "n = a - b;", "reason": "b is 0"}


def _find(text):
    return mutants.find("x", "models/x/x.cc", text.encode())


def _read(*entries):
    return Equivalents(json.dumps(entries))


class EquivalentsTest(unittest.TestCase):
    def test_an_entry_is_for_one_line_and_one_replacement_wherever_the_line_stands(self):
        for text in ("void F() { \n n = a + b;\n}", "void F() {\n\n\n    n  =  a + b;\n}"):
            reasons = {mutant.after: _read(_ENTRY).reason(mutant) for mutant in _find(text)}
            self.assertEqual("b is 0", reasons["n = a - b;"])
            self.assertEqual("", reasons["n = a;"])

    def test_the_second_line_of_two_has_an_entry_of_its_own(self):
        found = [mutant for mutant in _find("void F() {\nn = a + b;\nn = a + b;\n}") if mutant.after == "n = a - b;"]
        known = _read(dict(_ENTRY, nth=1))
        self.assertEqual(["", "b is 0"], [known.reason(mutant) for mutant in found])

    def test_an_entry_that_is_no_mutant_any_more_is_stale_where_its_file_was_looked_at(self):
        found = _find("void F() {\nn = a + c;\n}")
        self.assertEqual(["models/x/x.cc: n = a + b; -> n = a - b;"], _read(_ENTRY).stale(found, {"models/x/x.cc"}))
        self.assertEqual([], _read(_ENTRY).stale(found, {"models/y/y.cc"}))
        self.assertEqual([], _read(_ENTRY).stale(_find("void F() {\nn = a + b;\n}"), {"models/x/x.cc"}))

    def test_what_is_no_list_of_entries_with_reasons_is_refused(self):
        for text, message in (("{", PATH), ("{}", "want a list"), ("[3]", "entry 1 has no file"),
                              (json.dumps([_ENTRY, dict(_ENTRY, reason="")]), "entry 2 has no reason")):
            with self.assertRaisesRegex(SurroundingsError, message):
                Equivalents(text)

    def test_the_tree_s_own_file_reads(self):
        with open(PATH, encoding="utf-8") as f:
            Equivalents(f.read())


if __name__ == "__main__":
    unittest.main()
