"""The cases of the alexnet family: the batch sizes of the other image classifiers, and TorchBench's, in every dtype."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:image_classifier_cases.bzl", "image_classifier_cases", "image_training_cases")
load("//models/alexnet:variants.bzl", "MODELS")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     alexnet                          std 0.34   fp32 rms 6.1e-7, max 2.3e-6   bf16 rms 0.41 %   effect 8.8e-3

CASES = [
    image_classifier_cases(MODELS),
    cases(models = ["alexnet"], dtypes = _DTYPES, batches = [1024], large = [matching()]),
    image_training_cases(["alexnet"]),
]
