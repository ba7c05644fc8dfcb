"""The cases of the mobilebert family."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "lengths", "sgd_training")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

CASES = [
    cases(
        models = ["mobilebert_tiny_masked_lm"],
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 128),
        large = [matching(dtype = ["fp16"]), matching(sequence_length = [128])],
    ),
    cases(
        models = ["mobilebert_tiny_qa"],
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = lengths(8),
        large = [matching(dtype = ["bf16", "fp16"])],
    ),
    # TorchDynamo has 256 rows of 128 tokens.
    cases(
        models = ["mobilebert_masked_lm", "mobilebert_qa"],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [1, 8, 256],
        parameters = lengths(128),
        large = [matching()],
    ),
    cases(
        models = ["mobilebert_tiny_masked_lm", "mobilebert_tiny_qa"],
        dtypes = ["fp32", "fp64"],
        batches = [2],
        parameters = lengths(8),
        run = sgd_training(),
    ),
]
