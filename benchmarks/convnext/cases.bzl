"""The cases of the convnext family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "image_classifier_cases")
load("//models/convnext:variants.bzl", "MODELS")

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     convnext_tiny                    std  1.1   fp32 rms 3.5e-7, max 1.2e-6   bf16 rms 0.38 %   effect 1.5e-4

CASES = [image_classifier_cases(MODELS)]
