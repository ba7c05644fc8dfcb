"""Operators that move values: embeddings, gather and scatter, copies. Sizes: v rows of a table, d elements of each, n of them read."""

load("//defs:cases.bzl", "nondeterministic")
load("//defs:operator_limits.bzl", "copies", "sums")
load("//defs:operators.bzl", "at", "operator", "result")
load("//defs:variants.bzl", "bag_offsets", "input", "integers", "zipf")
load(":elementwise.bzl", "BANDWIDTH_SWEEP")

# An index that occurs several times gets the sum of its gradients, each added in the dtype.
_SUM_OF_EQUAL = sums("n", roundings = 4)

_TABLE_SIZES = [at(v = 2048, d = 32, n = 128), at(v = 100000, d = 128, n = 4096)]
_COPY_SIZES = [at(r = 64, c = 256), at(r = 4096, c = 4096)]

# As torch.use_deterministic_algorithms lists them. Not among them, because CUDA sorts the indices first: gradients of embedding,
# embedding_bag (by sum) and index. Nor scatter, whose indices here are all different.
def _adds_atomically(outputs, kernel):
    return [nondeterministic("CUDA's %s adds atomically" % kernel, outputs = outputs)]

def _index(name, shape, limit):
    return input(name, shape, integers(limit), dtype = "INT64")

INDEXING = [
    operator(
        "embedding",
        call = "aten::embedding",
        inputs = [input("weight", ["v", "d"]), _index("indices", ["n"], "v")],
        outputs = [result("result", ["n", "d"], copies())],
        gradients = {"weight": _SUM_OF_EQUAL},
        rows = "n",
        sizes = _TABLE_SIZES,
    ),
    # Popular rows are read often, as in recommendation.
    operator(
        "embedding_popular",
        call = "aten::embedding",
        inputs = [input("weight", ["v", "d"]), input("indices", ["n"], zipf("v", 1), dtype = "INT64")],
        outputs = [result("result", ["n", "d"], copies())],
        rows = "n",
        sizes = _TABLE_SIZES,
    ),
    operator(
        "embedding_bag",
        call = "aten::embedding_bag",
        inputs = [
            input("weight", ["v", "d"]),
            _index("indices", ["n*l"], "v"),
            input("offsets", ["n"], bag_offsets("l"), dtype = "INT64"),
        ],
        # mode 0: the sum of a bag's rows.
        outputs = [result("result", ["n", "d"], sums("l", roundings = 2))],
        gradients = {"weight": sums("n*l", roundings = 4)},
        sizes = [at(v = 4096, d = 32, n = 16, l = 8), at(v = 100000, d = 128, n = 1024, l = 32)],
    ),
    operator(
        "gather",
        call = "aten::gather",
        inputs = [input("self", ["r", "c"]), _index("index", ["r", "k"], "c")],
        arguments = {"dim": 1},
        outputs = [result("result", ["r", "k"], copies())],
        gradients = {"self": sums("k", roundings = 4)},
        nondeterministic = _adds_atomically(["self.grad"], "scatter_add, the backward pass of gather,"),
        rows = "r",
        sizes = [at(r = 16, c = 256, k = 32), at(r = 4096, c = 4096, k = 512)],
    ),
    # Writes to every second element: where two values meet in one element, either may be the last.
    operator(
        "scatter",
        call = "aten::scatter.src",
        inputs = [input("self", ["2*n"]), input("index", ["n"], bag_offsets(2), dtype = "INT64"), input("src", ["n"])],
        arguments = {"dim": 0},
        outputs = [result("result", ["2*n"], copies())],
        gradients = {"self": copies(), "src": copies()},
        sizes = [at(n = 4096), at(n = 1 << 24)],
    ),
    operator(
        "scatter_add",
        call = "aten::scatter_add",
        inputs = [input("self", ["v", "d"]), _index("index", ["n", "d"], "v"), input("src", ["n", "d"])],
        arguments = {"dim": 0},
        outputs = [result("result", ["v", "d"], sums("n", roundings = 4))],
        gradients = {"self": copies(), "src": copies()},
        nondeterministic = _adds_atomically(["result"], "scatter_add"),
        sizes = _TABLE_SIZES,
    ),
    operator(
        "index",
        call = "aten::index.Tensor",
        inputs = [input("self", ["v", "d"]), _index("indices.0", ["n"], "v")],
        outputs = [result("result", ["n", "d"], copies())],
        gradients = {"self": _SUM_OF_EQUAL},
        sizes = _TABLE_SIZES,
    ),
    operator(
        "index_select",
        call = "aten::index_select",
        inputs = [input("self", ["v", "d"]), _index("index", ["n"], "v")],
        arguments = {"dim": 0},
        outputs = [result("result", ["n", "d"], copies())],
        gradients = {"self": _SUM_OF_EQUAL},
        nondeterministic = _adds_atomically(["self.grad"], "index_add, the backward pass of index_select,"),
        sizes = _TABLE_SIZES,
    ),
    operator(
        "index_add",
        call = "aten::index_add",
        inputs = [input("self", ["v", "d"]), _index("index", ["n"], "v"), input("source", ["n", "d"])],
        arguments = {"dim": 0},
        outputs = [result("result", ["v", "d"], sums("n", roundings = 4))],
        gradients = {"self": copies(), "source": copies()},
        nondeterministic = _adds_atomically(["result"], "index_add"),
        sizes = _TABLE_SIZES,
    ),
    operator(
        "cat",
        call = "aten::cat",
        inputs = [input("tensors.0", ["r", "c"]), input("tensors.1", ["r", "2*c"])],
        arguments = {"dim": 1},
        outputs = [result("result", ["r", "3*c"], copies())],
        gradients = {"tensors.0": copies(), "tensors.1": copies()},
        rows = "r",
        sizes = _COPY_SIZES,
    ),
    operator(
        "stack",
        call = "aten::stack",
        inputs = [input("tensors.0", ["r", "c"]), input("tensors.1", ["r", "c"])],
        arguments = {"dim": 1},
        outputs = [result("result", ["r", 2, "c"], copies())],
        gradients = {"tensors.0": copies(), "tensors.1": copies()},
        rows = "r",
        sizes = _COPY_SIZES,
    ),
    # Stands for copy_(), which writes to its argument; a verified program does not.
    operator(
        "copy",
        call = "aten::clone",
        inputs = [input("self", ["r", "c"])],
        outputs = [result("result", ["r", "c"], copies())],
        gradients = {"self": copies()},
        rows = "r",
        independent_rows = 1024,
        sizes = BANDWIDTH_SWEEP,
    ),
    operator(
        "transpose",
        call = "aten::transpose_copy.int",
        inputs = [input("self", ["r", "c"])],
        arguments = {"dim0": 0, "dim1": 1},
        outputs = [result("result", ["c", "r"], copies())],
        gradients = {"self": copies()},
        sizes = _COPY_SIZES,
    ),
]
