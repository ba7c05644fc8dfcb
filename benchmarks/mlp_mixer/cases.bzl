"""The cases of the mlp_mixer family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "image_classifier_cases")
load("//models/mlp_mixer:variants.bzl", "MODELS")

# The weights' recipe in timm itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 22 weights spread over the depth, root mean square, all in the output's standard deviations:
#     mixer_b16_224                    std 0.41   fp32 rms 3.0e-7, max 1.5e-6   bf16 rms 0.32 %   effect 4.7e-4

CASES = [image_classifier_cases(MODELS)]
