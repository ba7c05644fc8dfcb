"""The cases of the xlnet family."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "DTYPES", "lengths", "published_cases", "sgd_training", "tiny_training")

CASES = [
    cases(
        models = ["xlnet_tiny_lm"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 128),
        large = [matching(dtype = ["fp16"]), matching(sequence_length = [128])],
    ),
    # TorchDynamo has 16 rows of 512 tokens.
    published_cases(["xlnet_base_lm", "xlnet_large_lm"], batches = [1, 8, 16], parameters = lengths(128, 512)),
    tiny_training(["xlnet_tiny_lm"], sgd_training(), verify = None),
]
