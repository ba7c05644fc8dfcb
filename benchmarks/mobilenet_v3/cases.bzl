"""The cases of the mobilenet_v3 family: the batch sizes of the other image classifiers, and OpenXLA's, in every dtype."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:image_classifier_cases.bzl", "image_classifier_cases", "image_training_cases", "small_training_cases")
load("//models/mobilenet_v3:variants.bzl", "MODELS")

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     mobilenet_v3_small               std 0.37   fp32 rms 4.5e-7, max 2.1e-6   bf16 rms 0.59 %   effect 1.5e-4
#     mobilenet_v3_large               std   25   fp32 rms 7.4e-7, max 2.7e-6   bf16 rms 0.68 %   effect 1.5e-3

CASES = [
    image_classifier_cases(MODELS),
    cases(models = ["mobilenet_v3_small"], dtypes = ["fp32", "fp64", "bf16", "fp16"], batches = [16, 32], large = [matching()]),
    small_training_cases(["mobilenet_v3_large"], resolution = 32),
    image_training_cases(["mobilenet_v3_large"]),
]
