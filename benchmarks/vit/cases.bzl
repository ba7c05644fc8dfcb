"""The cases of the vit family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "image_classifier_cases")
load("//models/vit:variants.bzl", "MODELS")

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     vit_b_32                         std  1.0   fp32 rms 7.3e-7, max 2.3e-6   bf16 rms 0.89 %   effect 2.2e-3

CASES = [image_classifier_cases(MODELS)]
