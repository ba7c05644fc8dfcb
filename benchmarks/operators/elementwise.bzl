"""Operators that work element by element, activations first. Sizes: r rows of c elements; in float32 a row of 256 is 1 KiB."""

load("//defs:operator_limits.bzl", "copies", "relative", "sums")
load("//defs:operators.bzl", "at", "operator", "result")
load("//defs:variants.bzl", "bernoulli", "input", "uniform")

# 1 KiB to 1 GiB of float32 in one tensor: from the first cache to memory.
BANDWIDTH_SWEEP = [at(r = 64, c = 256)] + [
    at(r = 1 << (2 * i), c = 256, backward = i < 7)
    for i in [0, 1, 2, 4, 5, 6, 7, 8, 9, 10]
]

_SIZES = [at(r = 64, c = 256), at(r = 4096, c = 4096)]
_SHAPE = ["r", "c"]
_POSITIVE = uniform(low = 0.5, high = 2)

def _unary(name, call = None, error = relative(), gradient = relative(), arguments = {}, distribution = uniform(), first = "self"):
    return operator(
        name,
        call = call or "aten::" + name,
        inputs = [input(first, _SHAPE, distribution)],
        arguments = arguments,
        outputs = [result("result", _SHAPE, error)],
        gradients = {first: gradient},
        rows = "r",
        independent_rows = 1024,
        sizes = _SIZES,
    )

def _binary(name, call, error = relative(), arguments = {}, gradients = {}, other = uniform(), second = "other", sizes = _SIZES):
    return operator(
        name,
        call = call,
        inputs = [input("self", _SHAPE), input(second, _SHAPE, other)],
        arguments = arguments,
        outputs = [result("result", _SHAPE, error)],
        gradients = gradients,
        rows = "r",
        independent_rows = 1024,
        sizes = sizes,
    )

# Backward of these operators starts from a result or quotient that was rounded to the dtype, and takes differences and
# powers of it. So errors are compared with the size of all gradients, not each with its own. 16 terms: units of float32
# for the function.
_FROM_RESULT = sums(16, roundings = 3)

ELEMENTWISE = [
    # Activations.
    _unary("relu", error = copies(), gradient = copies()),
    _unary("leaky_relu", arguments = {"negative_slope": 0.01}),
    _unary("elu"),
    _unary("gelu"),
    _unary("gelu_tanh", call = "aten::gelu", arguments = {"approximate": "tanh"}),
    _unary("silu"),
    _unary("mish"),
    _unary("softplus"),
    _unary("hardswish"),
    _unary("hardtanh", error = copies(), gradient = copies()),
    _unary("sigmoid", gradient = _FROM_RESULT),
    _unary("tanh", gradient = _FROM_RESULT),
    # Arithmetic.
    _unary("exp", gradient = _FROM_RESULT),
    _unary("log", distribution = _POSITIVE),
    _unary("sqrt", gradient = _FROM_RESULT, distribution = _POSITIVE),
    # The root may be rounded before its reciprocal is computed.
    _unary("rsqrt", error = relative(roundings = 2), distribution = _POSITIVE, gradient = sums(16, roundings = 5)),
    _unary("clamp", error = copies(), gradient = copies(), arguments = {"max": 1.0, "min": -1.0}),
    _binary("add", "aten::add.Tensor", gradients = {"self": copies(), "other": copies()}, sizes = BANDWIDTH_SWEEP),
    _binary("mul", "aten::mul.Tensor", gradients = {"self": relative(), "other": relative()}),
    _binary("div", "aten::div.Tensor", gradients = {"self": relative(), "other": _FROM_RESULT}, other = _POSITIVE),
    _binary("lerp", "aten::lerp.Scalar", arguments = {"weight": 0.25}, second = "end", gradients = {"self": relative(), "end": relative()}),
    operator(
        "where",
        call = "aten::where.self",
        inputs = [input("condition", _SHAPE, bernoulli(0.5), dtype = "BOOL"), input("self", _SHAPE), input("other", _SHAPE)],
        outputs = [result("result", _SHAPE, copies())],
        gradients = {"self": copies(), "other": copies()},
        rows = "r",
        independent_rows = 1024,
        sizes = _SIZES,
    ),
    # Dropout in evaluation: in training each call draws anew, so there is no reference for it.
    _unary("dropout_eval", call = "aten::dropout", first = "input", error = copies(), gradient = copies(), arguments = {"p": 0.1, "train": False}),
]
