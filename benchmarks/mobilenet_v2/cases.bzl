"""The cases of the mobilenet_v2 family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:cases.bzl", "cases", "execution", "matching")
load("//defs:image_classifier_cases.bzl", "HEAVY_TAILED", "STEEP", "image_classifier_cases", "image_training_cases", "small_training_cases")
load("//models/mobilenet_v2:variants.bzl", "MODELS")

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     mobilenet_v2                     std 0.39   fp32 rms 2.7e-7, max 9.1e-7   bf16 rms 0.29 %   effect 7.4e-4

CASES = [
    image_classifier_cases(MODELS),
    cases(models = ["mobilenet_v2"], dtypes = ["fp32", "bf16"], batches = [8], executions = [execution(memory_format = "channels_last")], large = [matching()]),
    small_training_cases(["mobilenet_v2"], resolution = 32),
    image_training_cases(["mobilenet_v2"], learning_rates = STEEP, verify = HEAVY_TAILED),
]
