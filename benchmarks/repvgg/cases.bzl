"""The cases of the repvgg family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "image_classifier_cases")
load("//models/repvgg:variants.bzl", "MODELS")

# MEASURED

CASES = [image_classifier_cases(MODELS, in_default_tier = 2)]
