"""MobileNetV2 as torchvision 0.26 builds it: pure data."""

load("//defs:variants.bzl", "model")
load("//models:image_classifier.bzl", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "mobilenet_v2",
    description = "MobileNetV2, inverted residuals with ReLU6.",
    file = "mobilenetv2",
)

MODELS = [model("mobilenet_v2", IMPLEMENTATION, smoke_parameters = {"resolution": 32})]
