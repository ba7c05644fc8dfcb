"""The cases of the convnextv2 family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "image_classifier_cases")
load("//models/convnextv2:variants.bzl", "MODELS")

# MEASURED

CASES = [image_classifier_cases(MODELS)]
