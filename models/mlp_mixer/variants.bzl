"""MLP-Mixers as timm 1.0.31 builds them: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "mlp_mixer",
    description = "MLP-Mixer, linear layers over the tokens of each channel and over the channels of each token.",
    library = "timm",
    parameters = [
        parameter("patch_size", "integer", maximum = 256, description = "height and width of a patch, pixels; a divisor of the resolution"),
        parameter("layers", "integer", maximum = 256, description = "blocks"),
        parameter("hidden", "integer", minimum = 2, maximum = 16384, description = "width of a token"),
    ],
    keeps_statistics = False,
)

MODELS = [
    classifier(
        "mixer_b16_224",
        IMPLEMENTATION,
        parameters = {"patch_size": 16, "layers": 12, "hidden": 768},
        preset = image_preset(256, interpolation = "bicubic", mean = [0.5] * 3, std = [0.5] * 3),
        smoke_parameters = {"resolution": 32, "layers": 1, "hidden": 32},
    ),
]
