"""Meta's DLRM, a recommender with eight tables of categories: pure data."""

load("//defs:variants.bzl", "bag_offsets", "bernoulli", "input", "integers", "model", "model_implementation", "output", "parameter")

_TABLES = 8

def _of_each_table(name, shape, distribution):
    return [input("%s.%d" % (name, table), [d.format(table) for d in shape], distribution, dtype = "INT64") for table in range(_TABLES)]

IMPLEMENTATION = model_implementation(
    name = "dlrm",
    description = "DLRM: sums of embedding rows, a bottom MLP, dot products of their pairs, a top MLP that ends in a sigmoid.",
    owner = "assay",
    source_url = "https://github.com/facebookresearch/dlrm/blob/main/dlrm_s_pytorch.py",
    reference = "INDEPENDENT",
    reference_script = "models/dlrm/reference.py",
    parameters = [
        parameter("rows", "integer", default = 1000000, description = "rows of each table"),
        parameter("features", "integer", default = 64, description = "features of a row, of the bottom MLP's output as well"),
        parameter("dense_features", "integer", default = 512, description = "numbers of an example beside its categories"),
        parameter("bottom", "integers", default = [512], minimum = 1, description = "widths of the bottom MLP's layers before its last"),
        parameter("top", "integers", default = [1024, 1024, 1024], minimum = 1, description = "widths of the top MLP's layers before its last"),
        parameter("most_lookups", "integer", default = 100, minimum = 1, description = "indices of a bag at most"),
        parameter("fewer_lookups", "integer", default = 0, minimum = 0, description = "how many fewer a bag may have: they are drawn"),
    ],
    # As forward() takes them: lS_o are the offsets, lS_i the indices.
    inputs = [input("dense_x", ["batch", "dense_features"])] +
             _of_each_table("lS_o", ["batch"], bag_offsets("most_lookups", spread = "fewer_lookups")) +
             _of_each_table("lS_i", ["sum:lS_o.{}"], integers(limit = "rows")),
    outputs = [output("probability", shape = ["batch", 1])],
    trainable = True,
    targets = [input("clicked", ["batch", 1], bernoulli(0.5))],
)

_SMALL = {"bottom": [16], "dense_features": 13, "features": 8, "fewer_lookups": 9, "most_lookups": 10, "rows": 100, "top": [32, 16]}

MODELS = [
    model("dlrm_tiny", IMPLEMENTATION, parameters = dict(_SMALL, rows = 1000), smoke_parameters = _SMALL, description = "DLRM of small tables, which tests can afford."),
    model("dlrm", IMPLEMENTATION, smoke_parameters = _SMALL, description = "TorchBench's: eight tables of a million rows, 100 lookups in each."),
    model(
        "dlrm_ragged",
        IMPLEMENTATION,
        parameters = {"fewer_lookups": 99},
        smoke_parameters = _SMALL,
        description = "The same with 1 to 100 lookups in each table, as DLRM's own random data has.",
    ),
]
