"""The cases of the longformer family."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "DTYPES", "lengths", "published_cases", "sgd_training", "tiny_training")

CASES = [
    # 10 tokens are padded, 64 are not.
    cases(
        models = ["longformer_tiny_masked_lm"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(10, 64),
        large = [matching(dtype = ["fp16"]), matching(dtype = ["fp32", "bf16"], sequence_length = [64])],
    ),
    # One row alone, and so without a golden: that computes without numbers, where transformers finds no global tokens.
    cases(
        models = ["longformer_tiny_global_masked_lm"],
        dtypes = DTYPES,
        batches = [1],
        parameters = lengths(10, 64),
        large = [matching(dtype = ["bf16", "fp16"]), matching(sequence_length = [64])],
    ),
    # TorchDynamo has 8 rows of 1024 tokens. One window is the length at which model_golden_test calls the model.
    published_cases(["longformer_base_masked_lm"], batches = [1, 2, 8], parameters = lengths(512, 1024, 4096)),
    # One row alone, and so without a golden, which would take half a minute.
    published_cases(["longformer_large_masked_lm"], batches = [1], parameters = lengths(1024, 4096)),
    # With global tokens, so that each parameter has a gradient.
    tiny_training(["longformer_tiny_global_masked_lm"], sgd_training(), lengths(10), verify = None),
]
