"""The cases of the ocean family: TorchBench's 2^20 cells, in its float64 and in float32, and small grids for tests.

A divisor of 1e-20 is zero in fp16.
"""

load("//defs:cases.bzl", "cases", "matching")
load("//models/ocean:variants.bzl", "MODELS")

_TINY = [m.name for m in MODELS if m.name.endswith("_tiny")]

CASES = [
    cases(models = _TINY, dtypes = ["fp32", "fp64"], batches = [1, 8]),
    cases(models = [m.name for m in MODELS if m.name not in _TINY], dtypes = ["fp32", "fp64"], batches = [1], large = [matching()]),
]
