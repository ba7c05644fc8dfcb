"""The cases of the regnet family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "image_classifier_cases", "small_training_cases")
load("//models/regnet:variants.bzl", "MODELS")

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     regnet_y_400mf                   std 0.44   fp32 rms 1.4e-7, max 5.6e-7   bf16 rms 0.24 %   effect 6.4e-5
#     regnet_x_400mf                   std 0.63   fp32 rms 1.4e-7, max 5.8e-7   bf16 rms 0.27 %   effect 2.6e-4
#     regnet_y_32gf at 64 pixels       std 0.42   fp32 rms 3.1e-7, max 1.4e-6   bf16 rms 0.46 %   effect 8.3e-5
#     regnet_x_32gf at 64 pixels       std 0.53   fp32 rms 3.0e-7, max 1.1e-6   bf16 rms 0.45 %   effect 4.3e-4

CASES = [
    image_classifier_cases(MODELS),
    small_training_cases(["regnet_y_400mf"], resolution = 32),
]
