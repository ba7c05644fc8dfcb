"""Finds every mutant of C++ and Python files, and draws some of them: the same ones for the same seed and tree.

    found = mutants.find("swin", "models/swin/swin.cc", data)
    drawn = mutants.draw(found, count=20, seed=0)
    drawn[0].mutated(data)                         # the file's bytes with the fault in them
    drawn[0].difference(data)                      # a unified diff

A mutant's id is a digest of its file, of its line before and after, and of which of the lines that read so it is. It stays the
same when lines move.
"""

import collections
import difflib
import hashlib
import random
from typing import NamedTuple

from ci.mutate import call_operators, expression_operators, literal_operators, python_operators
from ci.mutate.change import Change
from ci.mutate.cpp_source import CppSource

OPERATORS = {
    "activation": (call_operators.activation,),
    "boundary": (expression_operators.boundary,),
    "branch": (expression_operators.branch,),
    "constant": (literal_operators.constant,),
    "dropped call": (call_operators.dropped_call,),
    "dropped option": (literal_operators.option,),
    "dropped term": (expression_operators.dropped_term,),
    "epsilon": (literal_operators.epsilon,),
    "flag": (literal_operators.flag,),
    "fraction": (literal_operators.fraction,),  # a momentum, a probability
    "function": (call_operators.function,),
    "logic": (expression_operators.logic,),
    "order": (call_operators.order,),
    "padding": (literal_operators.padding_size, call_operators.padding_side),
    "product": (expression_operators.product,),
    "sign": (expression_operators.sign,),
}
_DIGITS = 8


class Mutant(NamedTuple):
    id: str
    scope: str
    path: str
    line: int  # the first that changes, from 1 on
    operator: str
    before: str  # the lines that change, without indentation, joined by blanks
    after: str
    nth: int  # of the mutants of this file with the same before and after
    change: Change

    def mutated(self, data):
        return self.change.applied(data)

    def difference(self, data):
        old, new = (text.decode(errors="replace").splitlines(keepends=True) for text in (data, self.mutated(data)))
        return "".join(difflib.unified_diff(old, new, "a/" + self.path, "b/" + self.path, n=1))


def _lines_around(data, start, end):
    """The whole lines that hold bytes start to end, as a range of bytes."""
    last = data.find(b"\n", end)
    return data.rfind(b"\n", 0, start) + 1, len(data) if last < 0 else last


def _joined(data):
    return " ".join(data.decode(errors="replace").split())


def _mutant(scope, path, data, operator, change, seen):
    start, end = _lines_around(data, change.start, change.end)
    before = _joined(data[start:end])
    after = _joined(data[start:change.start] + change.text.encode() + data[change.end:end])
    nth = seen[path, before, after]
    seen[path, before, after] += 1
    digest = hashlib.sha256("\0".join((path, before, after, str(nth))).encode()).hexdigest()
    line = data.count(b"\n", 0, change.start) + 1
    return Mutant(digest[:_DIGITS], scope, path, line, operator, before, after, nth, change)


def _changes(path, data):
    """(operator, change) of each node, in the file's order."""
    if path.endswith(".py"):
        yield from python_operators.changes(data)
        return
    source = CppSource(path, data)
    for node in source.nodes():
        for operator, functions in OPERATORS.items():
            yield from ((operator, change) for function in functions for change in function(source, node))


def find(scope, path, data):
    """All mutants of a file, in its order, each text once."""
    found, texts, seen = [], {data}, collections.Counter()
    for operator, change in _changes(path, data):
        text = change.applied(data)
        if text not in texts:
            texts.add(text)
            found.append(_mutant(scope, path, data, operator, change, seen))
    return found


def draw(found, count, seed):
    """`count` of a scope's mutants, or all where there are fewer; more of them begin with the same ones.

    Kinds of fault take turns, since most that could be made are constants.
    """
    kinds = collections.defaultdict(list)
    for mutant in found:
        kinds[mutant.operator].append(mutant)
    chance = random.Random("%s/%s" % (seed, found[0].scope if found else ""))
    names = sorted(kinds)
    chance.shuffle(names)
    for name in names:
        chance.shuffle(kinds[name])
    drawn = []
    while len(drawn) < count and any(kinds.values()):
        drawn += [kinds[name].pop() for name in names if kinds[name]]
    return drawn[:count]
