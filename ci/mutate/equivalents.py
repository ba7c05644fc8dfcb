"""Mutants that compute the same as the original, with the reason why: equivalent.json.

    known = equivalents.Equivalents(text)
    known.reason(mutant)                        # "" unless it is one of them
    known.stale(found, paths)                   # entries of these files that no mutant is any more

An entry names the file, the line before and after without indentation, and why no test can tell the two apart:

    {"file": "models/x/x.cc", "line": "a + b;", "replacement": "b + a;", "reason": "a sum has no order"}

If several lines read the same, "nth": 1 means the second. An entry says nothing about a mutant that no test finds yet.
"""

import json

from tools.processes.command import SurroundingsError

PATH = "ci/mutate/equivalent.json"
_NEEDED = ("file", "line", "reason", "replacement")


def _key(entry):
    return entry["file"], entry["line"], entry["replacement"], entry.get("nth", 0)


class Equivalents:
    def __init__(self, text):
        try:
            entries = json.loads(text)
        except ValueError as error:
            raise SurroundingsError("%s: %s" % (PATH, error)) from None
        if not isinstance(entries, list):
            raise SurroundingsError("%s: want a list of entries" % PATH)
        for number, entry in enumerate(entries, 1):
            missing = [name for name in _NEEDED if not (isinstance(entry, dict) and entry.get(name))]
            if missing:
                raise SurroundingsError("%s: entry %d has no %s" % (PATH, number, ", ".join(missing)))
        self._reasons = {_key(entry): entry["reason"] for entry in entries}

    def reason(self, mutant):
        return self._reasons.get((mutant.path, mutant.before, mutant.after, mutant.nth), "")

    def stale(self, found, paths):
        """Texts of the entries of these files that none of the found mutants is."""
        there = {(mutant.path, mutant.before, mutant.after, mutant.nth) for mutant in found}
        wanted = [key for key in self._reasons if key[0] in paths and key not in there]
        return ["%s: %s -> %s" % key[:3] for key in wanted]
