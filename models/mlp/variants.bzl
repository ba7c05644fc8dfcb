"""The dummy model of the XLA benchmark suite: pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "parameter")

IMPLEMENTATION = model_implementation(
    name = "mlp",
    description = "Linear 32-512, ReLU, Linear 512-512, ReLU, Linear 512-32, Softmax: small enough to time the harness itself.",
    owner = "assay",
    source_url = "https://github.com/pytorch/xla/tree/41398bff/benchmarks",
    reference = "INDEPENDENT",
    reference_script = "models/mlp/reference.py",
    parameters = [
        parameter("in_features", "integer", default = 32, description = "elements of one input row"),
        parameter("hidden_features", "integer", default = 512, description = "width of both hidden layers"),
        parameter("out_features", "integer", default = 32, description = "classes"),
    ],
    inputs = [input("input", shape = ["batch", "in_features"], fill = "UNIFORM")],
    outputs = ["probabilities"],
)

MODELS = [
    model("mlp", IMPLEMENTATION),
]
