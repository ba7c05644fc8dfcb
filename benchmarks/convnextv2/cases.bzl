"""The cases of the convnextv2 family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "image_classifier_cases", "image_training_cases")
load("//models/convnextv2:variants.bzl", "MODELS")

# The weights' recipe in timm itself, two rows, numbers drawn by torch; errors against float64, and the least effect of a 1 %
# change of one of 12 to 16 weights spread over the depth, root mean square, all in the output's standard deviations:
#     convnextv2_nano                  std  1.0   fp32 rms 5.5e-7, max 1.9e-6   bf16 rms 0.60 %   effect 9.8e-4

CASES = [
    image_classifier_cases(MODELS),
    image_training_cases(["convnextv2_nano"]),
]
