"""MoCo, of TorchBench: two ResNets and a queue of keys. Pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "output", "parameter")

_VIEW = ["batch", 3, "resolution", "resolution"]

IMPLEMENTATION = model_implementation(
    name = "moco",
    description = "Momentum contrast: an encoder of images tells another view's key from those in a queue.",
    owner = "assay",
    source_url = "https://github.com/pytorch/benchmark/blob/main/torchbenchmark/models/moco/moco/builder.py",
    reference = "INDEPENDENT",
    reference_script = "models/moco/reference.py",
    parameters = [
        parameter("block", "text", default = "bottleneck", allowed = ["basic", "bottleneck"], description = "residual block of both encoders"),
        parameter("layers", "integers", default = [3, 4, 6, 3], maximum = 256, description = "blocks in each of the four stages"),
        parameter("features", "integer", default = 128, maximum = 65536, description = "length of a key"),
        parameter("queue_size", "integer", default = 32000, description = "keys in the queue, a multiple of the batch"),
        parameter("resolution", "integer", default = 224, minimum = 32, maximum = 4096, suffix = "r", description = "height and width of the images, pixels"),
    ],
    inputs = [input("im_q", _VIEW), input("im_k", _VIEW)],
    outputs = [output("logits", ["batch", "queue_size+1"])],
    trainable = True,
    keeps_statistics = True,
    unit = "image",
)

_TINY = {"block": "basic", "features": 8, "layers": [1, 1, 1, 1], "queue_size": 16, "resolution": 32}

MODELS = [
    model("moco_tiny", IMPLEMENTATION, parameters = _TINY, smoke_parameters = _TINY, description = "The same of ten layers, which tests can afford."),
    model("moco", IMPLEMENTATION, smoke_parameters = _TINY),
]
