"""Reductions, pooling, losses, sorting. Sizes: b rows of c elements; n channels of h times w positions."""

load("//defs:cases.bzl", "nondeterministic")
load("//defs:operator_limits.bzl", "copies", "counts", "relative", "sums")
load("//defs:operators.bzl", "at", "operator", "result")
load("//defs:variants.bzl", "input", "integers")

_SIZES = [at(b = 32, c = 256), at(b = 4096, c = 4096), at(b = 64, c = 65536)]
_IMAGE_SIZES = [at(b = 2, n = 16, h = 8, w = 8), at(b = 32, n = 64, h = 56, w = 56)]

def _rows(name, call, outputs, gradient = None, arguments = {}, gradient_dtypes = None, nondeterministic = []):
    """Along the last dimension."""
    return operator(
        name,
        call = call,
        inputs = [input("self", ["b", "c"])],
        arguments = arguments,
        outputs = outputs,
        gradients = {"self": gradient} if gradient else {},
        rows = "b",
        independent_rows = 64,
        sizes = _SIZES,
        gradient_dtypes = gradient_dtypes,
        nondeterministic = nondeterministic,
    )

def _reduction(name, call, error, gradient = None, arguments = {}, dtype = None, gradient_dtypes = None):
    return _rows(name, call, [result("result", ["b"], error, dtype = dtype)], gradient, arguments, gradient_dtypes)

def _pool(name, call, outputs, gradient, arguments):
    return operator(
        name,
        call = call,
        inputs = [input("self", ["b", "n", "2*h", "2*w"])],
        arguments = arguments,
        outputs = outputs,
        gradients = {"self": gradient},
        rows = "b",
        independent_rows = 1,
        sizes = _IMAGE_SIZES,
    )

_POOLED = ["b", "n", "h", "w"]

REDUCTIONS = [
    _reduction("sum", "aten::sum.dim_IntList", sums("c"), copies(), {"dim": [1]}),
    _reduction("mean", "aten::mean.dim", sums("c"), relative(), {"dim": [1]}),
    _reduction("amax", "aten::amax", copies(), None, {"dim": [1]}),
    _reduction("argmax", "aten::argmax", counts(), None, {"dim": 1}, dtype = "INT64"),
    _reduction("var", "aten::var.dim", relative("c"), sums("c", roundings = 2), {"dim": [1]}),
    # Backward takes exp of self - result, a difference of about -6 that is rounded to the dtype: in bf16 that alone
    # makes errors of 2 % of a gradient, which would hide a fault of 1 %.
    _reduction(
        "logsumexp",
        "aten::logsumexp",
        relative("c", roundings = 2),
        relative("c", roundings = 16),
        {"dim": [1]},
        gradient_dtypes = ["fp32"],
    ),
    _reduction("vector_norm", "aten::linalg_vector_norm", relative("c"), sums("c", roundings = 3), {"dim": [1]}),
    # Its backward pass is another cumsum.
    _rows(
        "cumsum",
        "aten::cumsum",
        [result("result", ["b", "c"], sums("c"))],
        sums("c"),
        {"dim": 1},
        nondeterministic = [nondeterministic(
            "CUDA's cumsum adds the parts of one long row in the order in which they are ready",
            outputs = ["result", "self.grad"],
        )],
    ),
    operator(
        "sum_rows",
        call = "aten::sum.dim_IntList",
        inputs = [input("self", ["b", "c"])],
        arguments = {"dim": [0]},
        outputs = [result("result", ["c"], sums("b"))],
        sizes = [at(b = 256, c = 64), at(b = 65536, c = 256)],
        rows = "b",
    ),
    # A stable sort has only one right order of equal values, of which bf16 has many.
    _rows(
        "sort",
        "aten::sort.stable",
        [result("values", ["b", "c"], copies()), result("indices", ["b", "c"], counts(), dtype = "INT64")],
        copies(),
        {"dim": 1, "stable": True},
    ),
    # Any of several equal values may be chosen, so the indices are not compared.
    _rows("topk", "aten::topk", [result("values", ["b", 8], copies())], None, {"dim": 1, "k": 8}),
    # Pooling. On CUDA, gradients of average pools over more than one position, adaptive or of three dimensions, are added
    # atomically; none of these is.
    _pool("max_pool2d", "aten::max_pool2d", [result("result", _POOLED, copies())], copies(), {"kernel_size": [2, 2]}),
    _pool(
        "max_pool2d_overlapping",
        "aten::max_pool2d_with_indices",
        [result("result", _POOLED, copies()), result("indices", _POOLED, counts(), dtype = "INT64")],
        # Only the largest element of a window has a gradient, and it may be the largest of up to four windows, so the
        # largest gradients are far from most.
        sums(4, roundings = 2, largest = 32),
        {"kernel_size": [3, 3], "padding": [1, 1], "stride": [2, 2]},
    ),
    _pool("avg_pool2d", "aten::avg_pool2d", [result("result", _POOLED, sums(4))], relative(), {"kernel_size": [2, 2]}),
    _pool(
        "adaptive_avg_pool2d",
        "aten::adaptive_avg_pool2d",
        [result("result", ["b", "n", 1, 1], sums("4*h*w"))],
        relative(),
        {"output_size": [1, 1]},
    ),
    # A loss for each row: their mean would be one number, and in bf16 a fault of 1 % may be less than its rounding.
    operator(
        "cross_entropy",
        call = "aten::cross_entropy_loss",
        inputs = [input("self", ["b", "c"]), input("target", ["b"], integers("c"), dtype = "INT64")],
        arguments = {"reduction": 0},
        outputs = [result("result", ["b"], relative("c", roundings = 2))],
        gradients = {"self": sums("c", roundings = 3)},
        rows = "b",
        sizes = [at(b = 32, c = 128), at(b = 2048, c = 32000)],
    ),
    operator(
        "mse_loss",
        call = "aten::mse_loss",
        inputs = [input("self", ["b", "c"]), input("target", ["b", "c"])],
        arguments = {"reduction": 0},
        # The square of a difference that was rounded.
        outputs = [result("result", ["b", "c"], sums(2, roundings = 4))],
        gradients = {"self": relative(roundings = 2)},
        rows = "b",
        independent_rows = 64,
        sizes = _SIZES,
    ),
]
