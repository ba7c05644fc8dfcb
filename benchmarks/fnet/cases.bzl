"""The cases of the fnet family: float32 and float64, since ATen has no Fourier transform in bf16."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "lengths", "published_cases", "sgd_training", "tiny_training")

CASES = [
    # Lengths that are a power of two, and one with a large prime factor.
    cases(
        models = ["fnet_tiny_masked_lm"],
        dtypes = ["fp32", "fp64"],
        batches = [1, 8],
        parameters = lengths(8, 61),
        large = [matching(sequence_length = [61])],
    ),
    # TorchDynamo has 32 rows of 512 tokens.
    published_cases(
        ["fnet_base_masked_lm", "fnet_large_masked_lm"],
        dtypes = ["fp32"],
        batches = [1, 8, 32],
        parameters = lengths(128, 512),
    ),
    tiny_training(["fnet_tiny_masked_lm"], sgd_training(), verify = None),
]
