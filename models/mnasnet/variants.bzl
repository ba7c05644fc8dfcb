"""MNASNet as torchvision 0.26 builds it: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "mnasnet",
    description = "MNASNet B1, inverted residuals found by search.",
    parameters = [
        parameter("alpha", "real", minimum = 0.125, maximum = 8, description = "factor on the channels of every layer but the last"),
    ],
)

def _mnasnet(name, alpha, resize):
    return classifier(name, IMPLEMENTATION, parameters = {"alpha": alpha}, preset = image_preset(resize), smoke_parameters = {"resolution": 32})

MODELS = [
    _mnasnet("mnasnet0_5", 0.5, 256),
    _mnasnet("mnasnet0_75", 0.75, 232),
    _mnasnet("mnasnet1_0", 1.0, 256),
    _mnasnet("mnasnet1_3", 1.3, 232),
]
