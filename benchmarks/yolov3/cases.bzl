"""The cases of the yolov3 family: images of the paper's 416 pixels a side, and small ones; 16 rows are TorchBench's."""

load("//defs:cases.bzl", "cases", "matching")

# The weights' recipe in reference.py itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 12 weights spread over the depth, root mean square, all in the output's standard deviations:
#     yolov3 at 64 pixels              std 0.41   fp32 rms 6.7e-7, max 1.6e-5   bf16 rms 0.69 %   effect 1.3e-4

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

CASES = [
    # The first row of a model is the one that its golden is about.
    cases(dtypes = _DTYPES, batches = [1, 8], parameters = [{"resolution": 64}], large = [matching(dtype = ["fp16"])]),
    # Another grid than that of 64 pixels.
    cases(dtypes = ["fp64"], batches = [2], parameters = [{"resolution": 96}]),
    cases(dtypes = _DTYPES, batches = [1, 8, 16, 64], large = [matching()]),
]
