"""Visformer as timm 1.0.31 builds it: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "visformer",
    description = "Visformer, a stage of grouped convolutions and two of attention, with batch norms.",
    library = "timm",
    parameters = [
        parameter("stem_channels", "integer", maximum = 4096, description = "channels of the stem"),
        parameter("channels", "integer", maximum = 16384, description = "channels of the second stage, a multiple of 8 and of heads; half of it in the first, twice in the third"),
        parameter("heads", "integer", maximum = 256, description = "attention heads"),
        parameter("layers", "integers", maximum = 256, description = "blocks in each of the three stages"),
    ],
    minimum_resolution = 32,
)

MODELS = [
    classifier(
        "visformer_small",
        IMPLEMENTATION,
        parameters = {"stem_channels": 32, "channels": 384, "heads": 6, "layers": [7, 4, 4]},
        preset = image_preset(248, interpolation = "bicubic"),
        smoke_parameters = {"resolution": 64, "stem_channels": 8, "channels": 32, "heads": 2, "layers": [1, 1, 1]},
    ),
]
