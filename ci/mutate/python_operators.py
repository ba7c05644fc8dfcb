"""Mutation operators on Python: comparisons, constants, boolean operators, arithmetic, statements that are left out.

    for operator, change in python_operators.changes(data): ...       # of a file's bytes, in its order

Left alone: texts, annotations, decorators, defaults of a command line's help, and what a `raise` says; whether it is raised is
not. Left alone too: what makes a program faster and computes the same, which is the garbage collector (`gc.disable()`, `gc=False`
of a structure), and `frozen=True`, which only refuses an assignment that nobody writes. Places are those of Python's own parser, in bytes.
"""

import ast
import re

from ci.mutate.change import Change

_COMPARISONS = {
    ast.Lt: ("boundary", "<", "<="), ast.LtE: ("boundary", "<=", "<"), ast.Gt: ("boundary", ">", ">="),
    ast.GtE: ("boundary", ">=", ">"), ast.Eq: ("branch", "==", "!="), ast.NotEq: ("branch", "!=", "=="),
    ast.In: ("branch", "in", "not in"), ast.NotIn: ("branch", "not in", "in"), ast.Is: ("branch", "is", "is not"),
    ast.IsNot: ("branch", "is not", "is"),
}
_ARITHMETIC = {
    ast.Add: ("sign", "+", "-"), ast.Sub: ("sign", "-", "+"), ast.Mult: ("product", "*", "/"), ast.Div: ("product", "/", "*"),
    ast.FloorDiv: ("product", "//", "*"), ast.Mod: ("product", "%", "//"), ast.LShift: ("product", "<<", ">>"),
}
_HINTS = ("frozen", "gc")  # keywords
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}


def changes(data):
    """[(operator, Change)]; none of a file that is no Python."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return []
    places = _Places(data)
    found = [change for node in _nodes(tree) for change in _of(places, node)]
    return sorted(found, key=lambda change: change[1].start)


class _Places:
    def __init__(self, data):
        self.data, self._starts = data, [0]
        for line in data.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def start(self, node):
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node):
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node):
        return self.data[self.start(node):self.end(node)].decode()

    def between(self, left, right, token, new):
        """Changes of the one token between two nodes; none where a comment or a parenthesis makes it hard to find."""
        begin = self.end(left)
        words = r"\s+".join(re.escape(word) for word in token.split())
        found = [*re.finditer((r"(?<!\w)%s(?!\w)" if token[0].isalpha() else "%s") % words, self.data[begin:self.start(right)].decode())]
        if len(found) == 1 and b"#" not in self.data[begin:self.start(right)]:
            yield Change(begin + found[0].start(), begin + found[0].end(), new)


def _nodes(node):
    """The nodes that may change, from the outside in."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "exc", "cause") or isinstance(node, ast.JoinedStr):
            continue
        if isinstance(node, ast.If) and _is_main(node) or _is_hint(node):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _nodes(child)


def _is_main(node):
    return isinstance(node.test, ast.Compare) and getattr(node.test.left, "id", "") == "__name__"


def _is_hint(node):
    return isinstance(node, ast.keyword) and node.arg in _HINTS


def _of(places, node):
    for kind, function in _KINDS:
        if isinstance(node, kind):
            yield from function(places, node)


def _is_text(node):
    """Whether it is text or a list for all that can be seen: `+`, `*` and `%` are other operators there."""
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    kinds = (ast.JoinedStr, ast.List, ast.ListComp, ast.Tuple)
    return isinstance(node, kinds) or isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))


def _comparison(places, node):
    for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators):
        name, token, new = _COMPARISONS[type(operator)]
        yield from ((name, change) for change in places.between(left, right, token, new))


def _arithmetic(places, node):
    if type(node.op) in _ARITHMETIC and not _is_text(node):
        name, token, new = _ARITHMETIC[type(node.op)]
        yield from ((name, change) for change in places.between(node.left, node.right, token, new))


def _logic(places, node):
    token, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    for left, right in zip(node.values, node.values[1:]):
        yield from (("logic", change) for change in places.between(left, right, token, new))


def _unary(places, node):
    name, token = {ast.Not: ("logic", "not"), ast.USub: ("sign", "-")}.get(type(node.op), ("", ""))
    if name:
        yield name, Change(places.start(node), places.start(node) + len(token), "")


def _branch(places, node):
    """A condition that is a name, a call or the like; of a comparison its operator changes."""
    if not isinstance(node.test, (ast.Compare, ast.UnaryOp)):
        text = places.text(node.test)
        yield "branch", Change(places.start(node.test), places.end(node.test), "not (%s)" % text)


def _constant(places, node):
    value = node.value
    if isinstance(value, bool):
        news, name = [str(not value)], "flag"
    elif isinstance(value, int):
        news, name = [str(value + 1)] + [str(value - 1)] * (value > 1), "constant"
    elif isinstance(value, float):
        news, name = ["%.6g" % (value * 1.1) if value else "1.0"], "fraction"
    else:
        return
    for new in news:
        yield name, Change(places.start(node), places.end(node), new)


def _statement(places, node):
    """A call for its effect, or a value that is changed in place."""
    if isinstance(node, ast.Expr) and (not isinstance(node.value, ast.Call) or ast.unparse(node.value.func).startswith("gc.")):
        return
    yield "dropped statement", Change(places.start(node), places.end(node), "pass")


def _jump(places, node):
    if isinstance(node, ast.Continue):
        yield "dropped statement", Change(places.start(node), places.end(node), "pass")


def _function(places, node):
    if isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
        yield "function", Change(places.start(node.func), places.end(node.func), _FUNCTIONS[node.func.id])


_KINDS = (
    (ast.Compare, _comparison), (ast.BinOp, _arithmetic), (ast.BoolOp, _logic), (ast.UnaryOp, _unary), ((ast.If, ast.IfExp), _branch),
    (ast.Constant, _constant), ((ast.Expr, ast.AugAssign), _statement), (ast.Continue, _jump), (ast.Call, _function),
)
