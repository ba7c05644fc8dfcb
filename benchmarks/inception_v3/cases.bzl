"""The cases of the inception_v3 family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:cases.bzl", "cases", "matching")
load("//models/inception_v3:variants.bzl", "MODELS")

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     inception_v3                     std 0.38   fp32 rms 2.3e-7, max 8.0e-7   bf16 rms 0.25 %   effect 6.6e-4

# The first model stands for the family in the default tier.
CASES = [
    cases(
        dtypes = ["fp32", "fp64", "bf16", "fp16"],
        batches = [1, 8, 64, 128, 256],
        large = [matching(dtype = ["fp64", "fp16"]), matching(model = [m.name for m in MODELS[1:]])],
    ),
]
