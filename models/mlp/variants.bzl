"""The dummy model of the XLA benchmark suite: pure data."""

load("//defs:variants.bzl", "input", "integers", "model", "model_implementation", "output", "parameter")

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
    inputs = [input("input", shape = ["batch", "in_features"])],
    outputs = [output("probabilities", shape = ["batch", "out_features"])],
    # The loss: the mean over rows of -log(probabilities[label]).
    trainable = True,
    targets = [input("labels", shape = ["batch"], dtype = "INT64", distribution = integers(limit = "out_features"))],
)

MODELS = [
    model("mlp", IMPLEMENTATION),
]
