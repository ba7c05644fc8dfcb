"""MobileNetV2 as torchvision 0.26 builds it: pure data."""

load("//defs:variants.bzl", "image_preset")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "mobilenet_v2",
    description = "MobileNetV2, inverted residuals with ReLU6.",
    file = "mobilenetv2",
)

MODELS = [classifier("mobilenet_v2", IMPLEMENTATION, preset = image_preset(232), smoke_parameters = {"resolution": 32})]
