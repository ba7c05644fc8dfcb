"""ConvNeXt V2 as timm 1.0.31 builds it: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "convnextv2",
    description = "ConvNeXt V2, whose blocks norm each channel by its response over the image.",
    library = "timm",
    file = "convnext",
    parameters = [
        parameter("channels", "integers", maximum = 16384, description = "channels of each of the four stages"),
        parameter("layers", "integers", maximum = 256, description = "blocks in each of the four stages"),
    ],
    minimum_resolution = 32,
    keeps_statistics = False,
)

def _convnextv2(size, channels, layers):
    return classifier(
        "convnextv2_" + size,
        IMPLEMENTATION,
        parameters = {"channels": channels, "layers": layers},
        preset = image_preset(256, interpolation = "bicubic"),
        smoke_parameters = {"resolution": 32, "channels": [16, 32, 48, 64], "layers": [1, 1, 2, 1]},
    )

# The larger sizes have other shapes: timm builds them with linear layers instead of 1x1 convolutions.
MODELS = [
    _convnextv2("nano", [80, 160, 320, 640], [2, 2, 8, 2]),
    _convnextv2("atto", [40, 80, 160, 320], [2, 2, 6, 2]),
    _convnextv2("femto", [48, 96, 192, 384], [2, 2, 6, 2]),
    _convnextv2("pico", [64, 128, 256, 512], [2, 2, 6, 2]),
]
