"""Normalizations and softmax. Sizes: b rows, s positions of a sequence, c elements that are normalized or channels, h and w."""

load("//defs:cases.bzl", "matching", "skip")
load("//defs:operator_limits.bzl", "relative", "sums")
load("//defs:operators.bzl", "at", "operator", "result", "size")
load("//defs:variants.bzl", "input", "uniform")

# A gradient is a difference of sums over the normalized elements. Mean and scale of a row are kept in the dtype for it.
def _of_norm(terms):
    return sums(terms, roundings = 5)

_ROW_SIZES = [at(b = 16, c = 96), at(b = 4096, c = 768), at(b = 4096, c = 4096), at(b = 16384, c = 1024)]
_IMAGE_SIZES = [at(b = 4, c = 16, h = 7, w = 7), at(b = 32, c = 64, h = 56, w = 56), at(b = 32, c = 256, h = 14, w = 14)]
_IMAGE = ["b", "c", "h", "w"]
_PARAMETERS = [input("weight", ["c"]), input("bias", ["c"])]

NORMALIZATION = [
    operator(
        "layer_norm",
        call = "aten::layer_norm",
        inputs = [input("input", ["b", "c"])] + _PARAMETERS,
        arguments = {"normalized_shape": [size("c")]},
        outputs = [result("result", ["b", "c"], relative("c"))],
        gradients = {"input": _of_norm("c"), "weight": _of_norm("b"), "bias": sums("b")},
        rows = "b",
        independent_rows = 1024,
        skips = [skip(
            "layer_norm of LibTorch 2.11.0 adds the gradients of weight and bias in bf16: of 4096 rows they are wrong by 5 %",
            device = "CPU",
            where = matching(dtype = ["bf16"], b = [4096, 16384], backward = [True]),
        )],
        sizes = _ROW_SIZES,
    ),
    operator(
        "rms_norm",
        call = "aten::rms_norm",
        inputs = [input("input", ["b", "c"]), input("weight", ["c"])],
        arguments = {"eps": 1e-6, "normalized_shape": [size("c")]},
        # The value is normalized, rounded, and then multiplied.
        outputs = [result("result", ["b", "c"], relative("c", roundings = 2))],
        gradients = {"input": _of_norm("c"), "weight": _of_norm("b")},
        rows = "b",
        independent_rows = 1024,
        sizes = _ROW_SIZES,
    ),
    operator(
        "batch_norm",
        call = "aten::batch_norm",
        inputs = [input("input", _IMAGE)] + _PARAMETERS,
        # No running statistics, because the operator would write to them.
        arguments = {
            "cudnn_enabled": True,
            "eps": 1e-5,
            "momentum": 0.1,
            "running_mean": None,
            "running_var": None,
            "training": True,
        },
        # On the CPU a channel's mean and scale are kept in the dtype.
        outputs = [result("result", _IMAGE, sums("b*h*w", roundings = 3))],
        gradients = {"input": _of_norm("b*h*w"), "weight": _of_norm("b*h*w"), "bias": sums("b*h*w")},
        rows = "b",
        sizes = _IMAGE_SIZES,
    ),
    operator(
        "batch_norm_eval",
        call = "aten::batch_norm",
        inputs = [input("input", _IMAGE)] + _PARAMETERS + [
            input("running_mean", ["c"]),
            input("running_var", ["c"], uniform(low = 0.5, high = 2)),
        ],
        arguments = {"cudnn_enabled": True, "eps": 1e-5, "momentum": 0.1, "training": False},
        outputs = [result("result", _IMAGE, relative())],
        rows = "b",
        independent_rows = 4,
        sizes = _IMAGE_SIZES,
    ),
    operator(
        "group_norm",
        call = "aten::group_norm",
        inputs = [input("input", _IMAGE)] + _PARAMETERS,
        arguments = {"num_groups": 4},
        outputs = [result("result", _IMAGE, relative("c*h*w"))],
        gradients = {"input": _of_norm("c*h*w"), "weight": _of_norm("b*h*w"), "bias": sums("b*h*w")},
        rows = "b",
        independent_rows = 4,
        sizes = _IMAGE_SIZES,
    ),
    operator(
        "softmax",
        call = "aten::softmax.int",
        inputs = [input("self", ["b", "c"])],
        arguments = {"dim": 1},
        outputs = [result("result", ["b", "c"], relative("c"))],
        # Computed from the result, which is in the dtype.
        gradients = {"self": sums("c", roundings = 3)},
        rows = "b",
        independent_rows = 1024,
        sizes = _ROW_SIZES,
    ),
    operator(
        "log_softmax",
        call = "aten::log_softmax.int",
        inputs = [input("self", ["b", "c"])],
        arguments = {"dim": 1},
        # The difference from the row's maximum is rounded on the way.
        outputs = [result("result", ["b", "c"], relative("c", roundings = 2))],
        gradients = {"self": sums("c", roundings = 3)},
        rows = "b",
        independent_rows = 1024,
        sizes = _ROW_SIZES,
    ),
]
