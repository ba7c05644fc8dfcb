"""MaxViT as torchvision 0.26 builds it: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "maxvit",
    description = "MaxViT, convolutions, then attention in windows and in grids.",
    parameters = [
        parameter("channels", "integers", maximum = 16384, description = "channels of each stage, multiples of 32; the stem has the first's"),
        parameter("layers", "integers", maximum = 256, description = "blocks in each stage"),
    ],
)

MODELS = [
    classifier(
        "maxvit_t",
        IMPLEMENTATION,
        parameters = {"channels": [64, 128, 256, 512], "layers": [2, 2, 5, 2]},
        preset = image_preset(224, interpolation = "bicubic"),
        smoke_parameters = {"resolution": 56, "channels": [32, 64], "layers": [1, 2]},
    ),
]
