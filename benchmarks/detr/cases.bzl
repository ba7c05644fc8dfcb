"""The cases of the detr family: images of 800 pixels a side, and small ones."""

load("//defs:cases.bzl", "cases", "matching")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

CASES = [
    # The first row of a model is the one that its golden is about.
    cases(models = ["detr_tiny"], dtypes = _DTYPES, batches = [1, 8], parameters = [{"resolution": 96}], large = [matching(dtype = ["fp16"]), matching(batch = [8])]),
    cases(models = ["detr_resnet50"], dtypes = _DTYPES, batches = [1, 8], large = [matching()]),
]
