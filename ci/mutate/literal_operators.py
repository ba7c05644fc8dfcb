"""Mutation operators on literals: numbers, true and false, and options of a layer that are left out.

Each is a function (source, node) -> changes; empty where the node is none of its own. mutants.py lists them by name.
"""

import re
from decimal import Decimal

from ci.mutate.change import Change, replaced
from ci.mutate.cpp_source import arguments_of

_NUMBER = re.compile(r"-?(\d+\.?\d*([eE][-+]?\d+)?|\.\d+([eE][-+]?\d+)?)")
_EPSILON = Decimal("0.01")  # a fraction below is one that something is divided by
_IS_PADDING = re.compile(r"pad", re.IGNORECASE)
_SIZES = {".in", ".out"}  # without them nothing fits


def _number(source, node):
    """The value of a number literal that is written in decimals; else None."""
    if node.type != "number_literal" or not _NUMBER.fullmatch(source.text(node)):
        return None
    return Decimal(source.text(node))


def _is_integer(source, node):
    return re.fullmatch(r"-?\d+", source.text(node)) is not None


def _name_of_value(source, node):
    """The name of the value at its place: "padding" of `.padding = 2 * 3` and of `int64_t padding = 0`; "" of
    others."""
    while node.parent and node.parent.type in ("binary_expression", "conditional_expression", "parenthesized_expression",
                                               "initializer_list"):
        node = node.parent
    parent = node.parent
    if parent is None:
        return ""
    name = parent.child_by_field_name("designator") or parent.child_by_field_name("declarator")
    return source.text(name) if name and name.id != node.id else ""


def _written(value):
    text = "%.12g" % value
    return text if re.search(r"[.e]", text) else text + ".0"


def _scaled(node, value, factors):
    return [replaced(node, _written(value * Decimal(factor))) for factor in factors]


def epsilon(source, node):
    """1e-5 -> 1e-4, 1.1e-5."""
    value = _number(source, node)
    if value is None or _is_integer(source, node) or not 0 < abs(value) < _EPSILON:
        return []
    return _scaled(node, value, ("10", "1.1"))


def fraction(source, node):
    """A momentum, a probability, a slope: 0.1 -> 0.9, 0.11."""
    value = _number(source, node)
    if value is None or _is_integer(source, node) or not _EPSILON <= abs(value) < 1:
        return []
    changes = _scaled(node, value, ("1.1",))
    return changes if value == Decimal("0.5") or value < 0 else [replaced(node, _written(1 - value)), *changes]


def constant(source, node):
    """3 -> 4, 2; 1.5 -> 1.65."""
    value = _number(source, node)
    if value is None or _IS_PADDING.search(_name_of_value(source, node)):
        return []
    if _is_integer(source, node):
        return _one_more_or_less(node, int(value))
    return _scaled(node, value, ("1.1",)) if abs(value) >= 1 or value == 0 else []


def padding_size(source, node):
    """`.padding = 1` -> 2, 0."""
    value = _number(source, node)
    if value is None or not _is_integer(source, node) or not _IS_PADDING.search(_name_of_value(source, node)):
        return []
    return _one_more_or_less(node, int(value))


def _one_more_or_less(node, value):
    return [replaced(node, str(new)) for new in (value + 1, value - 1) if new >= 0 or value < 0]


def flag(source, node):
    """true -> false."""
    if node.type not in ("true", "false") or not node.is_named:
        return []
    return [replaced(node, "false" if node.type == "true" else "true")]


def option(source, node):
    """{.in = 3, .out = 64, .eps = 1e-3} -> {.in = 3, .out = 64}: the default takes its place."""
    if node.type != "initializer_pair" or node.parent.type != "initializer_list":
        return []
    if source.text(node.child_by_field_name("designator")) in _SIZES:
        return []
    siblings = arguments_of(node.parent)
    at = [sibling.id for sibling in siblings].index(node.id)
    if at > 0:
        return [Change(siblings[at - 1].end_byte, node.end_byte, "")]
    end = siblings[1].start_byte if len(siblings) > 1 else node.end_byte
    return [Change(node.start_byte, end, "")]
