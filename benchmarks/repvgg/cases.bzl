"""The cases of the repvgg family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "STEEP", "image_classifier_cases", "image_training_cases")
load("//models/repvgg:variants.bzl", "MODELS")

# The weights' recipe in timm itself, two rows, numbers drawn by torch; errors against float64, and the least effect of a 1 %
# change of one of 12 to 16 weights spread over the depth, root mean square, all in the output's standard deviations:
#     repvgg_a2 at 128 pixels          std   10   fp32 rms 3.8e-7, max 1.8e-6   bf16 rms 0.38 %   effect 4.9e-4
#     repvgg_a2_reparameterized at 64  std 0.18   fp32 rms 3.4e-7, max 1.4e-6   bf16 rms 0.33 %   effect 1.5e-3

CASES = [
    image_classifier_cases(MODELS),
    image_training_cases(["repvgg_a2"], learning_rates = STEEP),
]
