"""BEiT as timm 1.0.31 builds it: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "beit",
    description = "BEiT, a vision transformer with a learned bias for each difference of positions in each block's attention.",
    library = "timm",
    parameters = [
        parameter("patch_size", "integer", maximum = 256, description = "height and width of a patch, pixels; a divisor of the resolution"),
        parameter("layers", "integer", maximum = 256, description = "blocks"),
        parameter("heads", "integer", maximum = 256, description = "attention heads; a divisor of hidden"),
        parameter("hidden", "integer", maximum = 16384, description = "width of a token"),
    ],
    keeps_statistics = False,
)

MODELS = [
    classifier(
        "beit_base_patch16_224",
        IMPLEMENTATION,
        parameters = {"patch_size": 16, "layers": 12, "heads": 12, "hidden": 768},
        preset = image_preset(248, interpolation = "bicubic", mean = [0.5] * 3, std = [0.5] * 3),
        smoke_parameters = {"resolution": 32, "layers": 1, "heads": 2, "hidden": 32},
    ),
]
