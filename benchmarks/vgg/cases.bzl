"""The cases of the vgg family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "image_classifier_cases", "image_training_cases")
load("//models/vgg:variants.bzl", "MODELS", "MODELS_BN")

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     vgg11                            std 0.18   fp32 rms 5.1e-7, max 1.9e-6   bf16 rms 0.35 %   effect 5.8e-3
#     vgg11_bn                         std 0.27   fp32 rms 6.8e-7, max 2.5e-6   bf16 rms 0.57 %   effect 7.5e-3

CASES = [
    image_classifier_cases(MODELS + MODELS_BN),
    image_training_cases(["vgg16"], dtypes = ["fp32"]),
]
