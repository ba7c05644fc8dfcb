"""GhostNet as timm 1.0.31 builds it: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "ghostnet",
    description = "GhostNet, bottlenecks in which every second channel is made from its neighbour by a cheap convolution.",
    library = "timm",
    parameters = [
        parameter("width_multiplier", "real", minimum = 0.125, maximum = 8, description = "factor on the channels of all layers but the head"),
    ],
)

def _ghostnet(percent):
    return classifier(
        "ghostnet_%s%d" % ("0" if percent < 100 else "", percent),
        IMPLEMENTATION,
        parameters = {"width_multiplier": percent / 100.0},
        preset = image_preset(256, interpolation = "bicubic"),
        smoke_parameters = {"resolution": 32, "width_multiplier": 0.25},
    )

MODELS = [_ghostnet(100), _ghostnet(50), _ghostnet(130)]
