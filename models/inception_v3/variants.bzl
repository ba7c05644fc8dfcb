"""Inception v3 as torchvision 0.26 builds it, at the size of its published weights: pure data."""

load("//defs:variants.bzl", "image_preset")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "inception_v3",
    description = "Inception v3, factorized convolutions side by side, an auxiliary head in training.",
    file = "inception",
    minimum_resolution = 75,
    trainable = True,
)

MODELS = [classifier("inception_v3", IMPLEMENTATION, parameters = {"resolution": 299}, preset = image_preset(342, crop = 299))]
