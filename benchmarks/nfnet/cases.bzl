"""The cases of the nfnet family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:cases.bzl", "cases")
load("//defs:image_classifier_cases.bzl", "image_classifier_cases", "image_training_cases")
load("//models/nfnet:variants.bzl", "MODELS")

# The weights' recipe in timm itself, two rows, numbers drawn by torch; errors against float64, and the least effect of a 1 %
# change of one of 12 to 16 weights spread over the depth, root mean square, all in the output's standard deviations:
#     nfnet_l0                         std  1.6   fp32 rms 7.7e-7, max 2.7e-6   bf16 rms 1.74 %   effect 8.2e-4
#     dm_nfnet_f0                      std 0.49   fp32 rms 6.9e-7, max 3.5e-6   bf16 rms 1.63 %   effect 4.1e-4

CASES = [
    image_classifier_cases(MODELS),
    # Strided windows that do not fill the image, where "same" padding has two sides.
    cases(models = ["dm_nfnet_f0"], dtypes = ["fp64"], batches = [2], parameters = [{"resolution": 65}]),
    image_training_cases(["nfnet_l0"]),
    image_training_cases(["dm_nfnet_f0"], dtypes = ["fp32"]),
]
