"""The cases of the beit family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "image_classifier_cases", "image_training_cases")
load("//models/beit:variants.bzl", "MODELS")

# The weights' recipe in timm itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 32 weights spread over the depth, root mean square, all in the output's standard deviations:
#     beit_base_patch16_224            std  1.0   fp32 rms 3.3e-7, max 1.3e-6   bf16 rms 0.32 %   effect 3.7e-5, of the last block's
# position table. The other weights were tried before the tables had their factor.

CASES = [
    image_classifier_cases(MODELS),
    image_training_cases(["beit_base_patch16_224"], dtypes = ["fp32"]),
]
