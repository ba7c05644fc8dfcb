"""Mutation operators on expressions: conditions, comparisons, signs, terms that are left out.

Each is a function (source, node) -> changes; empty where the node is none of its own. mutants.py lists them by name.
"""

from ci.mutate.change import Change, replaced

_STRICTNESS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_EQUALITY = {"==": "!=", "!=": "=="}
_LOGIC = {"&&": "||", "||": "&&"}
_SIGNS = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
_PRODUCTS = {"*": "/", "/": "*", "*=": "/=", "/=": "*=", "<<": ">>", ">>": "<<"}
_SIGN_METHODS = {"add": "sub", "sub": "add", "add_": "sub_", "sub_": "add_"}
_PRODUCT_METHODS = {"mul": "div", "div": "mul", "mul_": "div_", "div_": "mul_"}
_TERM_METHODS = {"add", "sub", "mul", "div", "add_", "sub_", "mul_", "div_"}


def _operator(node):
    return node.child_by_field_name("operator") if node.type in ("binary_expression", "assignment_expression") else None


def _with_operator(source, node, table):
    """The node with its operator exchanged by the table; "a" + "b" of texts has no other sign."""
    operator = _operator(node)
    if operator is None or operator.type not in table:
        return []
    if any(child.type in ("string_literal", "char_literal") for child in node.named_children) and table is not _EQUALITY:
        return []
    return [replaced(operator, table[operator.type])]


def _with_method(source, node, table):
    if node.type != "call_expression" or source.object_of(node) is None or source.called(node) not in table:
        return []
    name = node.child_by_field_name("function").child_by_field_name("field")
    return [replaced(name, table[source.text(name)])]


def _condition(node):
    """The condition of an `if` or of `a ? b : c`; a loop's is none: the other way round it ends at once or never."""
    if node.type == "conditional_expression":
        return node.child_by_field_name("condition")
    if node.type != "if_statement":
        return None
    clause = node.child_by_field_name("condition")
    return clause.child_by_field_name("value") if clause and clause.child_by_field_name("initializer") is None else None


def branch(source, node):
    """if (a) -> if (!(a)), a ? b : c -> !(a) ? b : c; a == b -> a != b elsewhere."""
    condition = _condition(node)
    if condition is not None and condition.type != "declaration":
        return [replaced(condition, "!(%s)" % source.text(condition))]
    is_condition = node.parent is not None and _condition(node.parent) == node
    in_clause = node.parent is not None and node.parent.type == "condition_clause"
    return [] if is_condition or in_clause else _with_operator(source, node, _EQUALITY)


def boundary(source, node):
    """a < b -> a <= b."""
    return _with_operator(source, node, _STRICTNESS)


def logic(source, node):
    """a && b -> a || b."""
    return _with_operator(source, node, _LOGIC)


def sign(source, node):
    """a + b -> a - b, a.add(b) -> a.sub(b), -a -> a, a.neg() -> a."""
    if node.type == "unary_expression" and source.text(node.child_by_field_name("operator")) == "-":
        return [replaced(node, source.text(node.child_by_field_name("argument")))]
    if node.type == "call_expression" and source.called(node) == "neg" and source.object_of(node) is not None:
        return [replaced(node, source.text(source.object_of(node)))]
    return _with_operator(source, node, _SIGNS) or _with_method(source, node, _SIGN_METHODS)


def product(source, node):
    """a * b -> a / b, a.mul(b) -> a.div(b), a << b -> a >> b."""
    return _with_operator(source, node, _PRODUCTS) or _with_method(source, node, _PRODUCT_METHODS)


def dropped_term(source, node):
    """a + b -> a, a.add(b) -> a, and `a += b;` -> nothing."""
    operator = _operator(node)
    if node.type == "binary_expression" and operator.type in ("+", "-", "*", "/"):
        if any(child.type == "string_literal" for child in node.named_children):
            return []
        return [Change(node.child_by_field_name("left").end_byte, node.end_byte, "")]
    if node.type == "assignment_expression" and operator.type in (*_SIGNS, *_PRODUCTS):
        return [replaced(node, "")] if node.parent.type == "expression_statement" else []
    if node.type == "call_expression" and source.called(node) in _TERM_METHODS and source.object_of(node) is not None:
        return [Change(source.object_of(node).end_byte, node.end_byte, "")]
    return []
