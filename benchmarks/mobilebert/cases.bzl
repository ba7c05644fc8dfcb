"""The cases of the mobilebert family."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "DTYPES", "lengths", "published_cases", "sgd_training", "tiny_training")

CASES = [
    cases(
        models = ["mobilebert_tiny_masked_lm"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 128),
        large = [matching(dtype = ["fp16"]), matching(sequence_length = [128])],
    ),
    cases(
        models = ["mobilebert_tiny_qa"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(8),
        large = [matching(dtype = ["bf16", "fp16"])],
    ),
    # TorchDynamo has 256 rows of 128 tokens.
    published_cases(["mobilebert_masked_lm", "mobilebert_qa"], batches = [1, 8, 256], parameters = lengths(128)),
    tiny_training(["mobilebert_tiny_masked_lm", "mobilebert_tiny_qa"], sgd_training(), verify = None),
]
