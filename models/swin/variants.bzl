"""Swin and Swin v2 transformers as torchvision 0.26 builds them, at the sizes of its published weights: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "swin",
    description = "Swin transformer, attention in windows that shift from block to block.",
    file = "swin_transformer",
    parameters = [
        parameter("version", "integer", maximum = 2, description = "1: Swin, 2: Swin v2"),
        parameter("channels", "integer", maximum = 4096, description = "width of a token in the first stage, a multiple of 32"),
        parameter("layers", "integers", maximum = 256, description = "blocks in each of the four stages"),
        parameter("stochastic_depth", "real", minimum = 0, maximum = 0.9, description = "probability of dropping the last block in training"),
    ],
    minimum_resolution = 4,
    keeps_statistics = False,
)

def _swin(size, version, resize, channels, layers, stochastic_depth):
    resolution = 256 if version == 2 else 224
    return classifier(
        "swin_" + ("v2_" if version == 2 else "") + size,
        IMPLEMENTATION,
        parameters = {"version": version, "channels": channels, "layers": layers, "stochastic_depth": stochastic_depth, "resolution": resolution},
        preset = image_preset(resize, crop = resolution, interpolation = "bicubic"),
        # Two windows in each direction of the first stage, and padding in the second.
        smoke_parameters = {"resolution": 64, "channels": 32, "layers": [2, 1, 1, 1]},
    )

MODELS = [
    _swin("t", 1, 232, 96, [2, 2, 6, 2], 0.2),
    _swin("s", 1, 246, 96, [2, 2, 18, 2], 0.3),
    _swin("b", 1, 238, 128, [2, 2, 18, 2], 0.5),
    _swin("t", 2, 260, 96, [2, 2, 6, 2], 0.2),
    _swin("s", 2, 260, 96, [2, 2, 18, 2], 0.3),
    _swin("b", 2, 272, 128, [2, 2, 18, 2], 0.5),
]
