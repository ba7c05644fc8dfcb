"""Operators that are matrix products, at the square sizes of matmul benchmarks, PARAM's GEMMs and those of Llama models."""

load("//defs:operator_limits.bzl", "sums")
load("//defs:operators.bzl", "at", "operator", "result")
load("//defs:variants.bzl", "input")

# PARAM's example configurations: llama2 (six of them), rows first.
_PARAM_LLAMA2 = [
    (2048, 4096, 4096),
    (2048, 4096, 2048),
    (4096, 11008, 11008),
    (11008, 11008, 4096),
]

# Products of a layer of Llama 3 8B and 70B for 1 row (decoding) and 2048 (prefill): width to keys and values, to width, to
# the hidden units of its gated layer, and back. Source: the models' config.json (hidden_size, intermediate_size, heads).
_LLAMA3 = [
    (rows, k, n)
    for rows in [1, 2048]
    for k, n in [(4096, 1024), (4096, 4096), (4096, 14336), (14336, 4096), (8192, 1024), (8192, 8192), (8192, 28672), (28672, 8192)]
]

# The linear layers of TinyLlama 1.1B for one token, in and out: of queries and of attention's result, of keys and values, into
# the gated layer and back, to the words.
_TINYLLAMA = [(2048, 2048), (2048, 256), (2048, 5632), (5632, 2048), (2048, 32000)]

_SQUARES = [512, 1024, 2048, 4096, 8192]

# The reference of a gradient needs all rows in float64, which takes half a minute for larger sizes.
_LARGEST_WITH_BACKWARD = 2048 * 4096 * 4096

def _mm_sizes():
    shapes = [(s, s, s) for s in _SQUARES] + _PARAM_LLAMA2
    shapes += [shape for shape in _LLAMA3 if shape not in shapes]
    return [at(m = 256, k = 256, n = 256)] + [
        at(m = m, k = k, n = n, backward = m * k * n <= _LARGEST_WITH_BACKWARD, dtypes = None if m == n else ["fp32", "bf16"])
        for m, k, n in shapes
    ]

_BMM_SIZES = [
    at(b = 4, m = 64, k = 96, n = 80),
    at(b = 64, m = 512, k = 64, n = 512),
    at(b = 64, m = 512, k = 512, n = 64),
]

PRODUCTS = [
    operator(
        "mm",
        call = "aten::mm",
        inputs = [input("self", ["m", "k"]), input("mat2", ["k", "n"])],
        outputs = [result("result", ["m", "n"], sums("k"))],
        gradients = {"self": sums("n"), "mat2": sums("m")},
        rows = "m",
        independent_rows = 128,
        dtypes = ["fp32", "bf16", "fp16"],
        sizes = _mm_sizes(),
    ),
    operator(
        "addmm",
        call = "aten::addmm",
        inputs = [input("self", ["n"]), input("mat1", ["m", "k"]), input("mat2", ["k", "n"])],
        arguments = {"alpha": 0.125, "beta": 0.5},
        # The product that a library returns may be rounded before the rest is added.
        outputs = [result("result", ["m", "n"], sums("k", roundings = 2))],
        gradients = {"self": sums("m", roundings = 2), "mat1": sums("n", roundings = 2), "mat2": sums("m", roundings = 2)},
        rows = "m",
        independent_rows = 128,
        sizes = [at(m = 64, k = 128, n = 96), at(m = 2048, k = 4096, n = 4096)],
    ),
    operator(
        "bmm",
        call = "aten::bmm",
        inputs = [input("self", ["b", "m", "k"]), input("mat2", ["b", "k", "n"])],
        outputs = [result("result", ["b", "m", "n"], sums("k"))],
        gradients = {"self": sums("n"), "mat2": sums("m")},
        rows = "b",
        sizes = _BMM_SIZES,
    ),
    operator(
        "baddbmm",
        call = "aten::baddbmm",
        inputs = [input("self", ["b", "m", "n"]), input("batch1", ["b", "m", "k"]), input("batch2", ["b", "k", "n"])],
        arguments = {"alpha": 0.125, "beta": 0.5},
        outputs = [result("result", ["b", "m", "n"], sums("k", roundings = 2))],
        gradients = {"self": sums(1, roundings = 2), "batch1": sums("n", roundings = 2), "batch2": sums("m", roundings = 2)},
        rows = "b",
        sizes = _BMM_SIZES,
    ),
    operator(
        "linear",
        call = "aten::linear",
        inputs = [input("input", ["b", "i"]), input("weight", ["o", "i"]), input("bias", ["o"])],
        outputs = [result("result", ["b", "o"], sums("i", roundings = 2))],
        gradients = {"input": sums("o"), "weight": sums("b"), "bias": sums("b")},
        rows = "b",
        sizes = [at(b = 32, i = 128, o = 96)] + [
            at(b = b, i = i, o = o)
            for b, i, o in [(2048, 1024, 1024), (2048, 1024, 4096), (2048, 4096, 1024), (2048, 4096, 4096)]
        ] + [at(b = 1, i = i, o = o, backward = False) for i, o in _TINYLLAMA],
    ),
    operator(
        "matmul",
        call = "aten::matmul",
        inputs = [input("self", ["b", "m", "k"]), input("other", ["k", "n"])],
        outputs = [result("result", ["b", "m", "n"], sums("k"))],
        gradients = {"self": sums("n"), "other": sums("b*m")},
        rows = "b",
        sizes = [at(b = 4, m = 32, k = 64, n = 48), at(b = 16, m = 512, k = 1024, n = 1024)],
    ),
    operator(
        "mv",
        call = "aten::mv",
        inputs = [input("self", ["m", "k"]), input("vec", ["k"])],
        outputs = [result("result", ["m"], sums("k"))],
        gradients = {"self": sums(1), "vec": sums("m")},
        rows = "m",
        sizes = [at(m = 256, k = 384), at(m = 4096, k = 4096)],
    ),
]
