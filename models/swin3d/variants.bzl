"""Swin transformers of videos as torchvision 0.26 builds them: pure data."""

load("//defs:variants.bzl", "model", "parameter")
load("//models:video_classifier.bzl", "video_classifier")

IMPLEMENTATION = video_classifier(
    name = "swin3d",
    description = "Swin transformer of videos, attention in windows of time and space that shift from block to block.",
    file = "swin_transformer",
    parameters = [
        parameter("channels", "integer", default = 96, maximum = 4096, description = "width of a token in the first stage, a multiple of 32"),
        parameter("layers", "integers", default = [2, 2, 6, 2], maximum = 256, description = "blocks in each of the four stages"),
        parameter("stochastic_depth", "real", default = 0.1, minimum = 0, maximum = 0.9, description = "probability of dropping the last block in training"),
    ],
    frames = 16,
    resolution = 224,
    keeps_statistics = False,
)

_SMALL = {"channels": 32, "frames": 4, "layers": [2, 1, 1, 1], "resolution": 40}

MODELS = [
    model("swin3d_tiny", IMPLEMENTATION, parameters = _SMALL, description = "Few narrow blocks, which tests can afford."),
    model("swin3d_t", IMPLEMENTATION, smoke_parameters = _SMALL),
]
