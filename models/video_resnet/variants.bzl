"""ResNets of videos for the 400 classes of Kinetics, as torchvision 0.26 builds them: pure data."""

load("//defs:variants.bzl", "model", "parameter")
load("//models:video_classifier.bzl", "video_classifier")

IMPLEMENTATION = video_classifier(
    name = "video_resnet",
    description = "Residual networks of videos (R3D, MC3, R(2+1)D), video in, 400 logits out.",
    file = "resnet",
    parameters = [
        parameter("architecture", "text", allowed = ["r3d", "mc3", "r2plus1d"], description = "how a block convolves over time and space"),
        parameter("layers", "integers", maximum = 256, description = "blocks in each of the four stages"),
    ],
    frames = 16,
    resolution = 112,
    minimum_resolution = 16,
)

def _resnet(name, architecture, layers):
    return model(
        name,
        IMPLEMENTATION,
        parameters = {"architecture": architecture, "layers": layers},
        smoke_parameters = {"frames": 4, "layers": [1, 1, 1, 1], "resolution": 32},
    )

MODELS = [
    _resnet("r3d_18", "r3d", [2, 2, 2, 2]),
    _resnet("mc3_18", "mc3", [2, 2, 2, 2]),
    _resnet("r2plus1d_18", "r2plus1d", [2, 2, 2, 2]),
]
