"""The cases of the densenet family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "STEEP", "image_classifier_cases", "image_training_cases", "small_training_cases")
load("//models/densenet:variants.bzl", "MODELS")

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     densenet121                      std 0.24   fp32 rms 1.7e-7, max 6.1e-7   bf16 rms 0.22 %   effect 5.3e-4

CASES = [
    image_classifier_cases(MODELS),
    small_training_cases(["densenet121"], resolution = 32),
    image_training_cases(["densenet121"], learning_rates = STEEP),
]
