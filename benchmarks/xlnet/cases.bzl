"""The cases of the xlnet family."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "lengths", "sgd_training")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

CASES = [
    cases(
        models = ["xlnet_tiny_lm"],
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 128),
        large = [matching(dtype = ["fp16"]), matching(sequence_length = [128])],
    ),
    # TorchDynamo has 16 rows of 512 tokens.
    cases(
        models = ["xlnet_base_lm", "xlnet_large_lm"],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [1, 8, 16],
        parameters = lengths(128, 512),
        large = [matching()],
    ),
    cases(
        models = ["xlnet_tiny_lm"],
        dtypes = ["fp32", "fp64"],
        batches = [2],
        parameters = lengths(8),
        run = sgd_training(),
    ),
]
