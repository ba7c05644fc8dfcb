"""The cases of the ghostnet family: the batch sizes of the other image classifiers, and TorchDynamo's, in every dtype."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:image_classifier_cases.bzl", "image_classifier_cases", "image_training_cases", "small_training_cases")
load("//models/ghostnet:variants.bzl", "MODELS")

# The weights' recipe in timm itself, two rows, numbers drawn by torch; errors against float64, and the least effect of a 1 %
# change of one of 12 to 16 weights spread over the depth, root mean square, all in the output's standard deviations:
#     ghostnet_100                     std  5.8   fp32 rms 4.3e-7, max 1.8e-6   bf16 rms 0.39 %   effect 3.9e-4
#     ghostnet_050                     std  8.5   fp32 rms 4.5e-7, max 1.6e-6   bf16 rms 0.45 %   effect 4.3e-4
#     ghostnet_130                     std  8.0   fp32 rms 5.6e-7, max 2.3e-6   bf16 rms 0.47 %   effect 6.4e-4

CASES = [
    image_classifier_cases(MODELS),
    cases(models = ["ghostnet_100"], dtypes = ["fp32", "fp64", "bf16", "fp16"], batches = [512], large = [matching()]),
    small_training_cases(["ghostnet_100"], resolution = 32),
    image_training_cases(["ghostnet_100"]),
]
