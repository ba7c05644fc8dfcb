"""The cases of the shufflenet_v2 family: the batch sizes of the other image classifiers, and TorchBench's, in every dtype."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:image_classifier_cases.bzl", "STEEP", "image_classifier_cases", "image_training_cases", "small_training_cases")
load("//models/shufflenet_v2:variants.bzl", "MODELS")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     shufflenet_v2_x0_5               std 0.21   fp32 rms 1.7e-7, max 6.7e-7   bf16 rms 0.24 %   effect 5.2e-4
#     shufflenet_v2_x2_0               std 0.23   fp32 rms 2.5e-7, max 8.1e-7   bf16 rms 0.25 %   effect 7.1e-4

CASES = [
    image_classifier_cases(MODELS),
    cases(models = ["shufflenet_v2_x1_0"], dtypes = _DTYPES, batches = [512], large = [matching()]),
    small_training_cases(["shufflenet_v2_x1_0"], resolution = 32),
    image_training_cases(["shufflenet_v2_x1_0"], learning_rates = STEEP),
]
