"""The cases of the unet family: TorchBench's image, 640 x 959 pixels, and a small one of the same kind, odd where it is halved."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:image_classifier_cases.bzl", "image_training_cases")

# The weights' recipe in reference.py itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 12 weights spread over the depth, root mean square, all in the output's standard deviations:
# In the second row, effect and bf16 are those with the factor sqrt(2) on the last convolution's weight as well.
#     pytorch_unet at 64 x 95          std  2.1   fp32 rms 1.0e-6, max 5.4e-6   bf16 rms  1.2 %   effect 3.8e-3
#     pytorch_unet_bilinear at 64 x 95 std  2.6   fp32 rms 5.2e-7, max 2.8e-6   bf16 rms 0.63 %   effect 2.8e-3

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

CASES = [
    # The first row of a model is the one that its golden is about.
    cases(dtypes = _DTYPES, batches = [1, 8], parameters = [{"height": 64, "width": 95}], large = [matching(dtype = ["fp16"])]),
    cases(dtypes = _DTYPES, batches = [1, 8, 16], large = [matching()]),
    # Height and width are odd at different depths.
    cases(dtypes = ["fp64"], batches = [2], parameters = [{"height": 39, "width": 22}]),
    image_training_cases(["pytorch_unet"], loss = "mean", parameters = [{"height": 64, "width": 95}]),
]
