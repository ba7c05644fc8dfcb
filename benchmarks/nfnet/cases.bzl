"""The cases of the nfnet family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "image_classifier_cases")
load("//models/nfnet:variants.bzl", "MODELS")

# MEASURED

CASES = [image_classifier_cases(MODELS, in_default_tier = 2)]
