"""The cases of the mnasnet family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "HEAVY_TAILED", "STEEP", "image_classifier_cases", "image_training_cases", "small_training_cases")
load("//models/mnasnet:variants.bzl", "MODELS")

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     mnasnet0_5                       std 0.26   fp32 rms 2.3e-7, max 8.7e-7   bf16 rms 0.29 %   effect 4.9e-4
#     mnasnet1_3                       std 0.33   fp32 rms 2.6e-7, max 9.4e-7   bf16 rms 0.28 %   effect 8.6e-4

CASES = [
    image_classifier_cases(MODELS),
    small_training_cases(["mnasnet1_0"], resolution = 32),
    image_training_cases(["mnasnet1_0"], learning_rates = STEEP, verify = HEAVY_TAILED),
]
