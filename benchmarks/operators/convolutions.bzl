"""Convolutions and their transposes. Sizes: b rows, i and o channels, d, h and w positions of the output (where transposed, of
the input)."""

load("//defs:cases.bzl", "nondeterministic")
load("//defs:nondeterminism.bzl", "CONVOLUTION_GRADIENTS", "TRANSPOSED_CONVOLUTION")
load("//defs:operator_limits.bzl", "sums")
load("//defs:operators.bzl", "at", "operator", "result", "size")
load("//defs:variants.bzl", "input")

def _gradients(kernel, positions):
    """An input element meets each weight of a filter, a weight each position of each row.

    Without oneDNN, what an input element gets from each position of the kernel is added in the dtype.
    """
    return {
        "input": sums("o*" + kernel, roundings = 4),
        "weight": sums("b*" + positions, roundings = 2),
        "bias": sums("b*" + positions, roundings = 2),
    }

_GRADIENTS = [nondeterministic(CONVOLUTION_GRADIENTS, outputs = ["input.grad", "weight.grad"])]
_TRANSPOSED = [nondeterministic(TRANSPOSED_CONVOLUTION, outputs = ["result", "weight.grad"])]

# Layers of ResNet-50: the first, and 3x3 and 1x1 of later stages.
_RESNET50 = [at(b = 32, i = 64, o = 64, h = 56, w = 56), at(b = 32, i = 256, o = 256, h = 14, w = 14)]

CONVOLUTIONS = [
    operator(
        "conv1d",
        call = "aten::conv1d",
        inputs = [input("input", ["b", "i", "w"]), input("weight", ["o", "i", 3]), input("bias", ["o"])],
        arguments = {"padding": [1]},
        outputs = [result("result", ["b", "o", "w"], sums("i*3", roundings = 2))],
        gradients = _gradients("3", "w"),
        nondeterministic = _GRADIENTS,
        rows = "b",
        sizes = [at(b = 2, i = 16, o = 24, w = 64), at(b = 8, i = 512, o = 512, w = 1500)],
    ),
    operator(
        "conv2d",
        call = "aten::conv2d",
        inputs = [input("input", ["b", "i", "h", "w"]), input("weight", ["o", "i", 3, 3]), input("bias", ["o"])],
        arguments = {"padding": [1, 1]},
        outputs = [result("result", ["b", "o", "h", "w"], sums("i*9", roundings = 2))],
        gradients = _gradients("9", "h*w"),
        nondeterministic = _GRADIENTS,
        rows = "b",
        independent_rows = 1,
        sizes = [at(b = 2, i = 16, o = 24, h = 14, w = 14)] + _RESNET50,
    ),
    operator(
        "conv2d_stride2",
        call = "aten::conv2d",
        inputs = [input("input", ["b", "i", "2*h", "2*w"]), input("weight", ["o", "i", 7, 7])],
        arguments = {"padding": [3, 3], "stride": [2, 2]},
        outputs = [result("result", ["b", "o", "h", "w"], sums("i*49"))],
        gradients = {"input": sums("o*49", roundings = 4), "weight": sums("b*h*w", roundings = 2)},
        nondeterministic = _GRADIENTS,
        rows = "b",
        independent_rows = 1,
        sizes = [at(b = 2, i = 3, o = 16, h = 14, w = 14), at(b = 32, i = 3, o = 64, h = 112, w = 112)],
    ),
    operator(
        "conv2d_pointwise",
        call = "aten::conv2d",
        inputs = [input("input", ["b", "i", "h", "w"]), input("weight", ["o", "i", 1, 1])],
        outputs = [result("result", ["b", "o", "h", "w"], sums("i"))],
        gradients = {"input": sums("o", roundings = 2), "weight": sums("b*h*w", roundings = 2)},
        nondeterministic = _GRADIENTS,
        rows = "b",
        independent_rows = 1,
        sizes = [at(b = 2, i = 32, o = 48, h = 7, w = 7)] + _RESNET50,
    ),
    operator(
        "conv2d_depthwise",
        call = "aten::conv2d",
        inputs = [input("input", ["b", "c", "h", "w"]), input("weight", ["c", 1, 3, 3])],
        arguments = {"groups": size("c"), "padding": [1, 1]},
        outputs = [result("result", ["b", "c", "h", "w"], sums(9))],
        gradients = {"input": sums(9, roundings = 4), "weight": sums("b*h*w", roundings = 2)},
        nondeterministic = _GRADIENTS,
        rows = "b",
        independent_rows = 1,
        sizes = [at(b = 2, c = 32, h = 14, w = 14), at(b = 32, c = 384, h = 14, w = 14)],
    ),
    operator(
        "conv3d",
        call = "aten::conv3d",
        inputs = [input("input", ["b", "i", "d", "h", "w"]), input("weight", ["o", "i", 3, 3, 3]), input("bias", ["o"])],
        arguments = {"padding": [1, 1, 1]},
        outputs = [result("result", ["b", "o", "d", "h", "w"], sums("i*27", roundings = 2))],
        gradients = _gradients("27", "d*h*w"),
        nondeterministic = _GRADIENTS,
        rows = "b",
        independent_rows = 1,
        sizes = [at(b = 2, i = 8, o = 8, d = 4, h = 8, w = 8), at(b = 4, i = 64, o = 64, d = 8, h = 28, w = 28)],
    ),
    operator(
        "conv_transpose1d",
        call = "aten::conv_transpose1d",
        inputs = [input("input", ["b", "i", "w"]), input("weight", ["i", "o", 4]), input("bias", ["o"])],
        arguments = {"padding": [1], "stride": [2]},
        outputs = [result("result", ["b", "o", "2*w"], sums("i*2", roundings = 2))],
        gradients = _gradients("4", "2*w"),
        nondeterministic = _TRANSPOSED,
        rows = "b",
        sizes = [at(b = 2, i = 16, o = 24, w = 32), at(b = 8, i = 256, o = 256, w = 1500)],
    ),
    operator(
        "conv_transpose2d",
        call = "aten::conv_transpose2d.input",
        inputs = [input("input", ["b", "i", "h", "w"]), input("weight", ["i", "o", 4, 4]), input("bias", ["o"])],
        arguments = {"padding": [1, 1], "stride": [2, 2]},
        outputs = [result("result", ["b", "o", "2*h", "2*w"], sums("i*4", roundings = 2))],
        gradients = _gradients("16", "4*h*w"),
        nondeterministic = _TRANSPOSED,
        rows = "b",
        independent_rows = 1,
        sizes = [at(b = 2, i = 16, o = 16, h = 7, w = 7), at(b = 16, i = 256, o = 128, h = 14, w = 14)],
    ),
    operator(
        "conv_transpose3d",
        call = "aten::conv_transpose3d.input",
        inputs = [input("input", ["b", "i", "d", "h", "w"]), input("weight", ["i", "o", 4, 4, 4]), input("bias", ["o"])],
        arguments = {"padding": [1, 1, 1], "stride": [2, 2, 2]},
        outputs = [result("result", ["b", "o", "2*d", "2*h", "2*w"], sums("i*8", roundings = 2))],
        gradients = _gradients("64", "8*d*h*w"),
        nondeterministic = _TRANSPOSED,
        rows = "b",
        independent_rows = 1,
        sizes = [at(b = 2, i = 8, o = 8, d = 2, h = 4, w = 4), at(b = 4, i = 64, o = 32, d = 4, h = 14, w = 14)],
    ),
]
