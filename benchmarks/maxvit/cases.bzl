"""The cases of the maxvit family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "image_classifier_cases")
load("//models/maxvit:variants.bzl", "MODELS")

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 48 weights spread over the depth, root mean square, all in the output's standard deviations:
#     maxvit_t                         std 0.65   fp32 rms 3.4e-7, max 1.2e-6   bf16 rms 0.46 %   effect 1.3e-5, of a position table
# of the first block: hardly above the limit of 1e-5.

CASES = [image_classifier_cases(MODELS)]
