"""The cases of the mlp family."""

load("//defs:cases.bzl", "cases", "matching")

CASES = [
    cases(
        dtypes = ["fp32", "fp64", "bf16", "fp16"],
        batches = [1, 8, 64, 128, 256],
        large = [matching(dtype = ["fp64", "fp16"])],
    ),
]
