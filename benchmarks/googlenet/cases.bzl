"""The cases of the googlenet family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "STEEP", "image_classifier_cases", "image_training_cases", "small_training_cases")
load("//models/googlenet:variants.bzl", "MODELS")

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     googlenet                        std  1.3   fp32 rms 2.9e-7, max 1.1e-6   bf16 rms 0.30 %   effect 1.4e-3

CASES = [
    image_classifier_cases(MODELS),
    small_training_cases(["googlenet"], resolution = 32, loss = "own"),
    image_training_cases(["googlenet"], loss = "own", learning_rates = STEEP),
]
