"""Residual networks for 1,000 ImageNet classes, as torchvision 0.26 builds them: pure data.

To add a variant, append a line to MODELS. Its cases exist at once: //benchmarks/resnet:<name>_fp32_b1 and so on.
"""

load("//defs:variants.bzl", "input", "integers", "model", "model_implementation", "output", "parameter")

IMPLEMENTATION = model_implementation(
    name = "resnet",
    description = "Residual networks (v1.5: the stride is on the 3x3 convolution), image in, 1,000 logits out.",
    owner = "assay",
    source_url = "https://github.com/pytorch/vision/blob/v0.26.0/torchvision/models/resnet.py",
    reference = "INDEPENDENT",
    reference_script = "models/resnet/reference.py",
    parameters = [
        parameter("block", "text", allowed = ["basic", "bottleneck"], description = "residual block"),
        parameter("layers", "integers", maximum = 256, description = "blocks in each of the four stages"),
        parameter("groups", "integer", default = 1, maximum = 1024, description = "groups of the 3x3 convolutions"),
        parameter("width_per_group", "integer", default = 64, maximum = 4096, description = "channels of a group in the first stage"),
        parameter("num_classes", "integer", default = 1000, description = "logits"),
        parameter("resolution", "integer", default = 224, minimum = 32, maximum = 4096, suffix = "r", description = "height and width of the image, pixels"),
    ],
    inputs = [input("image", shape = ["batch", 3, "resolution", "resolution"])],
    outputs = [output("logits", shape = ["batch", "num_classes"])],
    targets = [input("labels", shape = ["batch"], dtype = "INT64", distribution = integers(limit = "num_classes"))],
    keeps_statistics = True,
)

def _resnet(name, block, layers, **parameters):
    return model(name, IMPLEMENTATION, parameters = dict(parameters, block = block, layers = layers), smoke_parameters = {"resolution": 64, "layers": [1, 1, 1, 1]})

MODELS = [
    _resnet("resnet18", "basic", [2, 2, 2, 2]),
    _resnet("resnet34", "basic", [3, 4, 6, 3]),
    _resnet("resnet50", "bottleneck", [3, 4, 6, 3]),
    _resnet("resnet101", "bottleneck", [3, 4, 23, 3]),
    _resnet("resnet152", "bottleneck", [3, 8, 36, 3]),
    _resnet("resnext50_32x4d", "bottleneck", [3, 4, 6, 3], groups = 32, width_per_group = 4),
    _resnet("wide_resnet50_2", "bottleneck", [3, 4, 6, 3], width_per_group = 128),
]
