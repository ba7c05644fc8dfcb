"""Mutation operators on calls: another function, another order of arguments, no call.

Each is a function (source, node) -> changes; empty where the node is none of its own. mutants.py lists them by name.
"""

import re

from ci.mutate.change import Change, exchanged, replaced
from ci.mutate.cpp_source import arguments_of

# Enumerators of models/layers/core/activation.h.
_ENUMERATORS = {
    "kRelu": "kGelu", "kRelu6": "kRelu", "kLeakyRelu": "kRelu", "kSilu": "kHardswish", "kHardswish": "kSilu",
    "kGelu": "kSilu", "kSigmoid": "kHardsigmoid", "kHardsigmoid": "kSigmoid", "kNone": "kRelu",
}
# Element-wise functions of ATen by what takes their place: near enough to be mistaken for each other.
_ACTIVATIONS = {
    "relu": "gelu", "gelu": "silu", "silu": "hardswish", "hardswish": "silu", "sigmoid": "hardsigmoid",
    "hardsigmoid": "sigmoid", "tanh": "sigmoid", "leaky_relu": "relu", "elu": "relu", "hardtanh": "relu", "relu6": "relu",
}
_IN_PLACE = {"relu_": "sigmoid_", "sigmoid_": "tanh_", "tanh_": "sigmoid_"}  # methods of every tensor
_FUNCTIONS = {
    "min": "max", "max": "min", "amin": "amax", "amax": "amin", "minimum": "maximum", "maximum": "minimum",
    "mean": "sum", "sum": "mean", "floor": "ceil", "ceil": "floor", "clamp_min": "clamp_max", "clamp_max": "clamp_min",
    "sqrt": "exp", "rsqrt": "sqrt", "exp": "expm1", "log": "log1p", "log2": "log10", "softmax": "log_softmax",
    "max_pool2d": "avg_pool2d", "avg_pool2d": "max_pool2d", "ones_like": "zeros_like", "zeros_like": "ones_like",
    "ones": "zeros", "zeros": "ones",
}
# Arguments of these may change places, and so may the dimensions over which the others of them take something.
_SYMMETRIC = {
    "add", "add_", "amax", "amin", "eq", "equal", "hypot", "max", "maximum", "mean", "min", "minimum", "mul", "mul_", "ne", "norm",
    "swapaxes", "sum", "transpose", "var", "var_mean",
    "BitEqual", "Cosine", "ElementsThatDiffer", "IntersectionOverUnion", "LargestError", "RootMeanSquareError",
}
_NAMES = ("call_expression", "field_expression", "identifier", "subscript_expression")
# Methods that give a tensor of the same shape: without them the object itself goes on.
_SAME_SHAPE = {
    "abs", "clamp", "clamp_", "clamp_max", "clamp_min", "clone", "cos", "exp", "exp_", "log", "neg", "relu", "relu_", "round",
    "round_", "sigmoid", "sigmoid_", "sin", "softmax", "sqrt", "square", "tanh", "tanh_",
}
# Functions of ATen whose first argument goes on without them.
_SAME_SHAPE_FUNCTIONS = {
    "dropout", "elu", "gelu", "hardsigmoid", "hardswish", "hardtanh", "layer_norm", "leaky_relu", "log_softmax", "relu",
    "relu_", "roll", "sigmoid", "silu", "softmax", "tanh",
}
_NO_EFFECT = {"reserve"}
_HAS_ITS_OWN_ORDER = re.compile(r"(\w+::)*\w*([Ss]et|[Mm]ap)(<.*)?", re.DOTALL)


def activation(source, node):
    """relu -> gelu, of ATen's functions and of the enumerators."""
    if node.type == "qualified_identifier":
        scope, _, name = source.text(node).rpartition("::")
        return [replaced(node, "%s::%s" % (scope, _ENUMERATORS[name]))] if name in _ENUMERATORS else []
    if node.type != "call_expression":
        return []
    name, of = source.called(node), source.object_of(node)
    if name in _IN_PLACE and of is not None:
        return [replaced(node.child_by_field_name("function").child_by_field_name("field"), _IN_PLACE[name])]
    first = of or next(iter(_arguments(node)), None)
    if name not in _ACTIVATIONS or first is None:
        return []
    new = _ACTIVATIONS[name]
    return [replaced(node, "at::%s(%s)" % (new, source.text(first)), "ATen/ops/%s.h" % new)]


def function(source, node):
    """min -> max, mean -> sum, max_pool2d -> avg_pool2d."""
    if node.type != "call_expression" or source.called(node) not in _FUNCTIONS:
        return []
    called = node.child_by_field_name("function")
    text, new = source.text(called), _FUNCTIONS[source.called(node)]
    changed = text[:text.rindex(source.called(node))] + new + text[text.rindex(source.called(node)) + len(source.called(node)):]
    return [replaced(called, changed, "ATen/ops/%s.h" % new if text.startswith("at::") else "")]


def _arguments(node):
    found = node.child_by_field_name("arguments")
    return arguments_of(found) if found else []


def _are_alike(node, first, second):
    """Whether two may be of one type: names and calls in a list in braces, else what is written alike."""
    return first.type == second.type or (node.type == "initializer_list" and first.type in _NAMES and second.type in _NAMES)


def order(source, node):
    """f(a, b) -> f(b, a), {x, y} -> {y, x}: neighbours of one kind; not in a set or a map, which sorts them."""
    call = node.parent if node.type == "argument_list" else _call_with_list(node)
    if node.type not in ("argument_list", "initializer_list") or _pads(source, node) or _is_sorted(source, node):
        return []
    if call is not None and call.type == "call_expression" and source.called(call) in _SYMMETRIC:
        return []
    items = arguments_of(node)
    return [
        exchanged(source.data, first, second)
        for first, second in zip(items, items[1:])
        if _are_alike(node, first, second) and first.type != "initializer_pair" and source.text(first) != source.text(second)
    ]


def _is_sorted(source, node):
    """Whether it is the list of what a set or a map holds."""
    holder = node.parent.parent if node.parent.type == "init_declarator" else node.parent
    kind = holder.child_by_field_name("type")
    return kind is not None and _HAS_ITS_OWN_ORDER.fullmatch(source.text(kind)) is not None


def _call_with_list(node):
    """The call that a list in braces is an argument of; None where it is none."""
    found = node.parent.parent if node.type == "initializer_list" and node.parent.type == "argument_list" else None
    return found if found is not None and found.type == "call_expression" else None


def _pads(source, node):
    """Whether it is the list of what a padding adds on each side."""
    call = _call_with_list(node)
    return call is not None and "pad" in source.called(call)


def padding_side(source, node):
    """constant_pad_nd(x, {0, right, 0, below}) -> {right, 0, 0, below}."""
    if node.type != "initializer_list" or not _pads(source, node):
        return []
    items = arguments_of(node)
    return [
        exchanged(source.data, first, second)
        for first, second in zip(items[::2], items[1::2])
        if source.text(first) != source.text(second)
    ]


def dropped_call(source, node):
    """norm.Forward(x) -> x, x.relu() -> x, at::gelu(x) -> x, and `x.fill_(1);` -> nothing."""
    if node.type != "call_expression" or source.called(node) in _NO_EFFECT:
        return []
    if node.parent.type == "expression_statement":
        return [replaced(node, "")]
    name, of, given = source.called(node), source.object_of(node), _arguments(node)
    if of is not None and name in _SAME_SHAPE:
        return [Change(of.end_byte, node.end_byte, "")]
    if name == "Activate" and len(given) > 1:
        return [replaced(node, source.text(given[1]))]
    passes = len(given) == 1 and (name == "Forward" or (of is None and name.endswith("_")))
    if given and (passes or (of is None and name in _SAME_SHAPE_FUNCTIONS)):
        return [replaced(node, source.text(given[0]))]
    return []
