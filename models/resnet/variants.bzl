"""Residual networks for 1,000 ImageNet classes, as torchvision 0.26 builds them: pure data.

To add a variant, append a line to MODELS. Its cases exist at once: //benchmarks/resnet:<name>_fp32_b1 and so on.
"""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

_PARAMETERS = [
    parameter("block", "text", allowed = ["basic", "bottleneck"], description = "residual block"),
    parameter("layers", "integers", maximum = 256, description = "blocks in each of the four stages"),
    parameter("groups", "integer", default = 1, maximum = 1024, description = "groups of the 3x3 convolutions"),
    parameter("width_per_group", "integer", default = 64, maximum = 4096, description = "channels of a group in the first stage"),
]

IMPLEMENTATION = image_classifier(
    name = "resnet",
    description = "Residual networks (v1.5: the stride is on the 3x3 convolution), image in, 1,000 logits out.",
    parameters = _PARAMETERS,
    minimum_resolution = 32,
)

_GROUP_NORM = image_classifier(
    name = "group_norm_resnet",
    description = "The same with norms of groups of channels, whose rows do not depend on each other.",
    family = "resnet",
    parameters = _PARAMETERS + [parameter("norm_groups", "integer", default = 32, maximum = 64, description = "groups of a norm; they divide 64")],
    minimum_resolution = 32,
    keeps_statistics = False,
)

def _resnet(name, block, layers, resize = 232, **parameters):
    return classifier(
        name,
        IMPLEMENTATION,
        parameters = dict(parameters, block = block, layers = layers),
        preset = image_preset(resize),
        smoke_parameters = {"resolution": 64, "layers": [1, 1, 1, 1]},
    )

# TorchBench's functorch_dp_cifar10 and opacus_cifar10 train it with a gradient of each row.
GROUP_NORM = [
    classifier(
        "group_norm_resnet18",
        _GROUP_NORM,
        parameters = {"block": "basic", "layers": [2, 2, 2, 2], "num_classes": 10, "resolution": 32},
        preset = None,
        smoke_parameters = {"layers": [1, 1, 1, 1]},
    ),
]

MODELS = [
    _resnet("resnet18", "basic", [2, 2, 2, 2], resize = 256),
    _resnet("resnet34", "basic", [3, 4, 6, 3], resize = 256),
    _resnet("resnet50", "bottleneck", [3, 4, 6, 3]),
    _resnet("resnet101", "bottleneck", [3, 4, 23, 3]),
    _resnet("resnet152", "bottleneck", [3, 8, 36, 3]),
    _resnet("resnext50_32x4d", "bottleneck", [3, 4, 6, 3], groups = 32, width_per_group = 4),
    _resnet("resnext101_32x8d", "bottleneck", [3, 4, 23, 3], groups = 32, width_per_group = 8),
    _resnet("resnext101_64x4d", "bottleneck", [3, 4, 23, 3], groups = 64, width_per_group = 4),
    _resnet("wide_resnet50_2", "bottleneck", [3, 4, 6, 3], width_per_group = 128),
    _resnet("wide_resnet101_2", "bottleneck", [3, 4, 23, 3], width_per_group = 128),
] + GROUP_NORM
