"""The cases of the inception_v3 family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "STEEP", "image_classifier_cases", "image_training_cases")
load("//models/inception_v3:variants.bzl", "MODELS")

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     inception_v3                     std 0.38   fp32 rms 2.3e-7, max 8.0e-7   bf16 rms 0.25 %   effect 6.6e-4

# Trained in float64 alone: float32's rounding makes of three steps of SGD at 1e-5 gradients that are rms 0.51 of std off (0.71 at
# 1e-3), and steps much smaller drown in the rounding of the weights. In float64 they are 1e-16 off.

CASES = [
    image_classifier_cases(MODELS),
    image_training_cases(["inception_v3"], loss = "own", learning_rates = STEEP, dtypes = ["fp64"]),
]
