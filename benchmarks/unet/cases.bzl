"""The cases of the unet family: TorchBench's image, 640 x 959 pixels, and a small one of the same kind, odd where it is halved."""

load("//defs:cases.bzl", "cases", "matching")

# The weights' recipe in reference.py itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 12 weights spread over the depth, root mean square, all in the output's standard deviations:
# The last convolution had the factor of the others, sqrt(2), as well, which changes the standard deviation by as much.
#     pytorch_unet at 64 x 95          std  2.8   fp32 rms 1.0e-6, max 5.6e-6   bf16 rms  1.2 %   effect 3.7e-3
#     pytorch_unet_bilinear at 64 x 95 std  3.4   fp32 rms 5.1e-7, max 2.7e-6   bf16 rms 0.63 %   effect 2.8e-3

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

CASES = [
    # The first row of a model is the one that its golden is about.
    cases(dtypes = _DTYPES, batches = [1, 8], parameters = [{"height": 64, "width": 95}], large = [matching(dtype = ["fp64", "fp16"])]),
    cases(dtypes = _DTYPES, batches = [1, 8, 16], large = [matching()]),
]
