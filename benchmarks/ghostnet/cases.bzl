"""The cases of the ghostnet family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "image_classifier_cases")
load("//models/ghostnet:variants.bzl", "MODELS")

# MEASURED

CASES = [image_classifier_cases(MODELS)]
