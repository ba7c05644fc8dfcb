"""The cases of the dcgan family: TorchBench's batch sizes, 32 in training and 256 in evaluation, and those of image classifiers."""

load("//defs:cases.bzl", "cases", "matching")

CASES = [
    cases(
        dtypes = ["fp32", "fp64", "bf16", "fp16"],
        batches = [1, 8, 32, 64, 128, 256],
        large = [matching(dtype = ["fp64", "fp16"])],
    ),
]
