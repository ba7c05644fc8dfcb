"""GoogLeNet as torchvision 0.26 builds it: pure data."""

load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "googlenet",
    description = "GoogLeNet (Inception v1 with batch norm), auxiliary heads in training.",
    minimum_resolution = 15,
    trainable = True,
)

MODELS = [classifier("googlenet", IMPLEMENTATION, smoke_parameters = {"resolution": 32})]
