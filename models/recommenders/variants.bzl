"""Networks that recommend: NeuMF, Wide & Deep, DIN, DLRM with a cross network, an autoencoder of ratings. Pure data."""

load("//defs:variants.bzl", "bernoulli", "input", "integers", "model", "model_implementation", "output", "parameter", "prefix_mask")

def _count(name, default, description):
    return parameter(name, "integer", default = default, description = description)

def _widths(name, default, description):
    return parameter(name, "integers", default = default, description = description)

def _dropout(default):
    return parameter("dropout", "real", default = default, minimum = 0, maximum = 0.99, description = "probability of dropping an element in training")

def _rows(name, shape, limit):
    return input(name, ["batch"] + shape, integers(limit = limit), dtype = "INT64")

def _implementation(name, outputs = [output("probability", ["batch", 1])], targets = [input("clicked", ["batch", 1], bernoulli(0.5))], **others):
    return model_implementation(
        name = name,
        owner = "assay",
        reference = "INDEPENDENT",
        reference_script = "models/recommenders/reference.py",
        outputs = outputs,
        trainable = True,
        targets = targets,
        **others
    )

NEUMF = _implementation(
    "neumf",
    description = "NeuMF: the product of two embeddings beside an MLP of two others.",
    source_url = "https://arxiv.org/abs/1708.05031",
    parameters = [
        _count("users", 138493, "users"),
        _count("items", 26744, "items"),
        _count("mf_dim", 64, "features of the embeddings that are multiplied"),
        _widths("mlp", [256, 256, 128, 64], "widths of the MLP, from its input on: half of it is a user's"),
    ],
    inputs = [_rows("user", [], "users"), _rows("item", [], "items")],
)

WIDE_DEEP = _implementation(
    "wide_deep",
    description = "Wide & Deep: a linear layer of numbers beside an MLP of categories.",
    source_url = "https://arxiv.org/abs/1606.07792",
    parameters = [
        _count("tables", 26, "tables of categories"),
        _count("rows", 100000, "rows of a table"),
        _count("features", 16, "features of a row"),
        _count("wide_features", 13, "numbers beside the categories"),
        _widths("mlp", [256, 128], "widths of the MLP's layers before its last"),
        _dropout(0.2),
    ],
    inputs = [input("wide", ["batch", "wide_features"]), _rows("categories", ["tables"], "rows")],
    keeps_statistics = True,
)

DIN = _implementation(
    "din",
    description = "DIN: the items that a user saw, each weighed by an MLP of it and the item in question.",
    source_url = "https://arxiv.org/abs/1706.06978",
    parameters = [
        _count("items", 63001, "items"),
        _count("categories", 801, "categories of items"),
        _count("features", 64, "features of an item, and of a category"),
        _count("history", 100, "items that a user saw, at most"),
        _widths("attention", [80, 40], "widths of the weighing MLP's layers before its last"),
        _widths("mlp", [80, 40], "widths of the last MLP's layers before its last"),
    ],
    inputs = [
        _rows("item", [], "items"),
        _rows("category", [], "categories"),
        _rows("history_items", ["history"], "items"),
        _rows("history_categories", ["history"], "categories"),
        input("history_mask", ["batch", "history"], prefix_mask()),
    ],
    keeps_statistics = True,
)

DLRM_V2 = _implementation(
    "dlrm_v2",
    description = "DLRM of MLPerf: sums of embedding rows and a bottom MLP, a cross network of low rank, a top MLP.",
    source_url = "https://arxiv.org/abs/2008.13535",
    parameters = [
        _count("tables", 26, "tables of categories"),
        _count("rows", 100000, "rows of a table"),
        _count("lookups", 8, "rows of a table that a sum has"),
        _count("features", 128, "features of a row"),
        _count("dense_features", 13, "numbers beside the categories"),
        _widths("bottom", [512, 256], "widths of the bottom MLP's layers before its last"),
        _count("layers", 3, "layers of the cross network"),
        _count("low_rank", 512, "rank of the cross network's products"),
        _widths("top", [1024, 1024, 512, 256], "widths of the top MLP's layers before its last"),
    ],
    inputs = [input("dense_features", ["batch", "dense_features"]), _rows("sparse_features", ["tables", "lookups"], "rows")],
)

DEEP_RECOMMENDER = _implementation(
    "deep_recommender",
    description = "NVIDIA's DeepRecommender: an autoencoder of ratings with SELU behind each layer.",
    source_url = "https://github.com/NVIDIA/DeepRecommender",
    parameters = [
        _count("items", 197951, "items that may be rated"),
        _widths("hidden", [512, 512, 1024], "widths of the encoder's layers; the decoder has them in reverse"),
        _dropout(0.8),
    ],
    inputs = [input("ratings", ["batch", "items"])],
    outputs = [output("expected", ["batch", "items"])],
    targets = [input("rated", ["batch", "items"], bernoulli(0.3))],
)

_TINY = {
    "neumf": {"items": 70, "mf_dim": 8, "mlp": [16, 16, 8], "users": 90},
    "wide_deep": {"features": 4, "mlp": [16, 8], "rows": 30, "tables": 5, "wide_features": 6},
    "din": {"attention": [12, 6], "categories": 9, "features": 6, "history": 8, "items": 50, "mlp": [12, 6]},
    "dlrm_v2": {"bottom": [16], "dense_features": 5, "features": 8, "layers": 3, "lookups": 3, "low_rank": 12, "rows": 40, "tables": 4, "top": [16, 12]},
    "deep_recommender": {"hidden": [16, 12, 20], "items": 60},
}

# Names of the models at the sizes of their papers or benchmarks.
_PUBLISHED = {"deep_recommender": "nvidia_deeprecommender"}

TINY = [
    model(i.name + "_tiny", i, parameters = _TINY[i.name], smoke_parameters = _TINY[i.name], description = "The same of small tables, which tests can afford.")
    for i in [NEUMF, WIDE_DEEP, DIN, DLRM_V2, DEEP_RECOMMENDER]
]

PUBLISHED = [
    model(_PUBLISHED.get(i.name, i.name), i, smoke_parameters = _TINY[i.name])
    for i in [NEUMF, WIDE_DEEP, DIN, DLRM_V2, DEEP_RECOMMENDER]
]

MODELS = TINY + PUBLISHED
