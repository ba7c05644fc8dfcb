"""MobileNetV3 as torchvision 0.26 builds it: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "mobilenet_v3",
    description = "MobileNetV3, inverted residuals with squeeze-excitation and hardswish.",
    file = "mobilenetv3",
    parameters = [
        parameter("size", "text", allowed = ["small", "large"], description = "which table of blocks"),
    ],
)

def _mobilenet_v3(size, resize):
    return classifier("mobilenet_v3_" + size, IMPLEMENTATION, parameters = {"size": size}, preset = image_preset(resize), smoke_parameters = {"resolution": 32})

MODELS = [_mobilenet_v3("small", 256), _mobilenet_v3("large", 232)]
