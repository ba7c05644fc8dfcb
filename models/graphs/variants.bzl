"""Graph networks of torch_geometric, a parameter for the kind of convolution: pure data."""

load("//defs:variants.bzl", "input", "integers", "model", "model_implementation", "output", "parameter")

KINDS = ["gcn", "sage", "gin", "edgecnn", "gat"]

def _implementation(name, description, sorted):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/pyg-team/pytorch_geometric/blob/master/torch_geometric/nn/models/basic_gnn.py",
        reference = "INDEPENDENT",
        reference_script = "models/graphs/reference.py",
        parameters = [
            parameter("convolution", "text", allowed = KINDS, description = "kind of layer"),
            parameter("nodes", "integer", default = 10000, description = "nodes of a graph"),
            parameter("edges", "integer", default = 200000, description = "edges of a graph"),
            parameter("in_channels", "integer", default = 64, description = "features of a node"),
            parameter("hidden_channels", "integer", default = 64, description = "features of a node between two layers"),
            parameter("out_channels", "integer", default = 64, description = "classes"),
            parameter("num_layers", "integer", default = 3, maximum = 1000, description = "convolutions"),
            parameter("heads", "integer", default = 1, description = "heads of attention (gat); a divisor of hidden_channels"),
        ],
        # The rows of edge_index, of which torch_geometric makes one for all graphs of a batch.
        inputs = [
            input("x", ["batch", "nodes", "in_channels"]),
            input("source", ["batch", "edges"], integers(limit = "nodes"), dtype = "INT64"),
            input("target", ["batch", "edges"], integers(limit = "nodes", sorted = sorted), dtype = "INT64"),
        ],
        outputs = [output("logits", ["batch", "nodes", "out_channels"])],
        trainable = True,
        targets = [input("labels", ["batch", "nodes"], integers(limit = "out_channels"), dtype = "INT64")],
        unit = "edge",
        units_per_call = "batch*edges",
    )

IMPLEMENTATION = _implementation("graph_network", "Messages of edges, summed at their targets (edgecnn: the largest), between linear layers.", sorted = False)

_SORTED = _implementation("sorted_graph_network", "The same with edges in the order of their targets.", sorted = True)

_SMALL = {"edges": 60, "hidden_channels": 16, "in_channels": 8, "nodes": 20, "out_channels": 5}

def _parameters(kind, heads, sizes = {}):
    return dict(sizes, convolution = kind, **({"heads": heads} if kind == "gat" else {}))

TINY = [
    model(
        kind + "_tiny",
        IMPLEMENTATION,
        parameters = _parameters(kind, heads = 4, sizes = {"edges": 600, "hidden_channels": 32, "in_channels": 16, "nodes": 100, "out_channels": 10}),
        smoke_parameters = _SMALL,
        description = "%s of a small graph, which tests can afford." % kind,
    )
    for kind in KINDS
]

PUBLISHED = [
    model(
        "basic_gnn_" + kind,
        IMPLEMENTATION,
        parameters = _parameters(kind, heads = 4),
        smoke_parameters = _SMALL,
        description = "TorchBench's size of %s: a graph of 10,000 nodes and 200,000 edges." % kind,
    )
    for kind in KINDS
]

SORTED = [
    model(
        "basic_gnn_%s_sorted" % kind,
        _SORTED,
        parameters = _parameters(kind, heads = 4),
        smoke_parameters = _SMALL,
        description = "The same with edges in the order of their targets.",
    )
    for kind in KINDS
]

MODELS = TINY + PUBLISHED + SORTED
