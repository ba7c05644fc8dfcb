"""AlexNet as torchvision 0.26 builds it: pure data."""

load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "alexnet",
    description = "AlexNet, five convolutions and three linear layers.",
    minimum_resolution = 63,
    keeps_statistics = False,
)

MODELS = [classifier("alexnet", IMPLEMENTATION, smoke_parameters = {"resolution": 64})]
