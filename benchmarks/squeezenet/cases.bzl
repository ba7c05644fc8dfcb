"""The cases of the squeezenet family: the batch sizes of the other image classifiers, and TorchBench's, in every dtype."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:image_classifier_cases.bzl", "image_classifier_cases", "image_training_cases", "small_training_cases")
load("//models/squeezenet:variants.bzl", "MODELS")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     squeezenet1_1                    std  2.4   fp32 rms 1.1e-7, max 1.1e-6   bf16 rms 0.21 %   effect 2.8e-3
#     squeezenet1_0                    std  3.0   fp32 rms 1.2e-7, max 7.4e-7   bf16 rms 0.22 %   effect 3.7e-3

CASES = [
    image_classifier_cases(MODELS),
    # Poolings round up, which shows where a window runs over the edge.
    cases(models = ["squeezenet1_1"], dtypes = ["fp64"], batches = [2], parameters = [{"resolution": 66}]),
    cases(models = ["squeezenet1_1"], dtypes = _DTYPES, batches = [512], large = [matching()]),
    small_training_cases(["squeezenet1_1"], resolution = 66),
    image_training_cases(["squeezenet1_1"]),
]
