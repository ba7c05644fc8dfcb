"""Recurrent layers of one direction. Sizes: b rows, t steps, i elements of a step's input, h hidden units."""

load("//defs:cases.bzl", "nondeterministic")
load("//defs:nondeterminism.bzl", "RECURRENT_LAYER")
load("//defs:operator_limits.bzl", "sums")
load("//defs:operators.bzl", "at", "operator", "result")
load("//defs:variants.bzl", "input", "uniform")

# The distribution of torch.nn for 512 hidden units: rounding errors of one step shrink in the next.
_WEIGHTS = uniform(low = -0.044, high = 0.044)

_ARGUMENTS = {
    "batch_first": True,
    "bidirectional": False,
    "dropout": 0.0,
    "has_biases": True,
    "num_layers": 1,
    "train": False,
}

# Gradients of weights are added over the steps in the dtype: in bf16, those of 64 steps are 1 % off, which would hide a
# fault of the same size.
_SIZES = [
    at(b = 4, t = 6, i = 48, h = 64),
    at(b = 32, t = 16, i = 512, h = 512),
    at(b = 32, t = 64, i = 512, h = 512, backward = False),
]

def _recurrent(name, gates, states):
    call = "aten::%s.input" % name
    hidden = ["hx.0", "hx.1"] if states == 2 else ["hx"]
    inputs = [input("input", ["b", "t", "i"])] + [input(n, [1, "b", "h"]) for n in hidden] + [
        input("params.0", ["%d*h" % gates, "i"], _WEIGHTS),
        input("params.1", ["%d*h" % gates, "h"], _WEIGHTS),
        input("params.2", ["%d*h" % gates], _WEIGHTS),
        input("params.3", ["%d*h" % gates], _WEIGHTS),
    ]

    # Sums and hidden units are rounded in each step, and each step reads the last one's.
    steps = sums("i*h", roundings = 4)
    return operator(
        name,
        call = call,
        inputs = inputs,
        arguments = _ARGUMENTS,
        outputs = [result("result", ["b", "t", "h"], steps), result("hidden", [1, "b", "h"], steps)] +
                  ([result("cell", [1, "b", "h"], steps)] if states == 2 else []),
        gradients = {i.name: steps for i in inputs},
        nondeterministic = [nondeterministic(RECURRENT_LAYER)],
        sizes = _SIZES,
    )

RECURRENT = [
    _recurrent("rnn_tanh", gates = 1, states = 1),
    _recurrent("lstm", gates = 4, states = 2),
    _recurrent("gru", gates = 3, states = 1),
]
