"""The cases of the efficientnet family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:cases.bzl", "cases", "execution", "matching")
load("//defs:image_classifier_cases.bzl", "image_classifier_cases", "image_training_cases", "small_training_cases")
load("//models/efficientnet:variants.bzl", "MODELS")

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     efficientnet_b0                  std 0.30   fp32 rms 2.1e-7, max 7.7e-7   bf16 rms 0.28 %   effect 1.4e-4
#     efficientnet_b7 at 128 pixels    std 0.53   fp32 rms 3.9e-7, max 1.2e-6   bf16 rms 0.53 %   effect 1.1e-4
#     efficientnet_v2_s at 128 pixels  std 0.48   fp32 rms 2.9e-7, max 1.1e-6   bf16 rms 0.47 %   effect 7.7e-5
#     efficientnet_v2_l at 128 pixels  std 0.92   fp32 rms 6.6e-7, max 2.4e-6   bf16 rms 0.89 %   effect 2.2e-4

_OTHER_TABLE = "the code of efficientnet_v2_s, and 200 and more GFLOP for a test"

CASES = [
    image_classifier_cases(MODELS, without = {"efficientnet_v2_m": _OTHER_TABLE, "efficientnet_v2_l": _OTHER_TABLE}),
    cases(models = ["efficientnet_b0"], dtypes = ["fp32", "bf16"], batches = [8], executions = [execution(memory_format = "channels_last")], large = [matching()]),
    small_training_cases(["efficientnet_b0"], resolution = 32),
    image_training_cases(["efficientnet_b0"]),
]
