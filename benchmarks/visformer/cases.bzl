"""The cases of the visformer family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "image_classifier_cases", "image_training_cases")
load("//models/visformer:variants.bzl", "MODELS")

# The weights' recipe in timm itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 76 weights spread over the depth, root mean square, all in the output's standard deviations:
#     visformer_small                  std  1.9   fp32 rms 7.1e-7, max 2.6e-6   bf16 rms 0.93 %   effect 8.9e-5

CASES = [
    image_classifier_cases(MODELS),
    image_training_cases(["visformer_small"]),
]
