"""MNASNet as torchvision 0.26 builds it: pure data."""

load("//defs:variants.bzl", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "mnasnet",
    description = "MNASNet B1, inverted residuals found by search.",
    parameters = [
        parameter("alpha", "real", minimum = 0.125, maximum = 8, description = "factor on the channels of every layer but the last"),
    ],
)

def _mnasnet(name, alpha):
    return classifier(name, IMPLEMENTATION, parameters = {"alpha": alpha}, smoke_parameters = {"resolution": 32})

MODELS = [
    _mnasnet("mnasnet0_5", 0.5),
    _mnasnet("mnasnet0_75", 0.75),
    _mnasnet("mnasnet1_0", 1.0),
    _mnasnet("mnasnet1_3", 1.3),
]
