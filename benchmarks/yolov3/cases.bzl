"""The cases of the yolov3 family: images of the paper's 416 pixels a side, and small ones; 16 rows are TorchBench's."""

load("//defs:cases.bzl", "cases", "matching")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

CASES = [
    # The first row of a model is the one that its golden is about.
    cases(dtypes = _DTYPES, batches = [1, 8], parameters = [{"resolution": 64}], large = [matching(dtype = ["fp16"])]),
    # Another grid than that of 64 pixels.
    cases(dtypes = ["fp64"], batches = [2], parameters = [{"resolution": 96}]),
    cases(dtypes = _DTYPES, batches = [1, 8, 16, 64], large = [matching()]),
]
