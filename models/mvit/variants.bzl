"""MViT, version 1, as torchvision 0.26 builds it: pure data."""

load("//defs:variants.bzl", "model", "parameter")
load("//models:video_classifier.bzl", "video_classifier")

IMPLEMENTATION = video_classifier(
    name = "mvit",
    description = "MViT, a transformer of videos whose attention pools its tokens.",
    parameters = [
        parameter("channels", "integer", default = 96, maximum = 4096, description = "width of a token in the first stage; each stage doubles it"),
        parameter("layers", "integers", default = [1, 2, 11, 2], maximum = 256, description = "blocks in each of the four stages"),
        parameter("stochastic_depth", "real", default = 0.2, minimum = 0, maximum = 0.9, description = "probability of dropping the last block in training"),
    ],
    frames = 16,
    resolution = 224,
    minimum_frames = 2,
    minimum_resolution = 4,
    keeps_statistics = False,
)

_SMALL = {"channels": 16, "frames": 4, "layers": [1, 2, 2, 1], "resolution": 40}

MODELS = [
    model("mvit_v1_tiny", IMPLEMENTATION, parameters = _SMALL, description = "Few narrow blocks, which tests can afford."),
    model("mvit_v1_b", IMPLEMENTATION, smoke_parameters = _SMALL),
]
