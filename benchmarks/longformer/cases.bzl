"""The cases of the longformer family."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "lengths", "sgd_training")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

CASES = [
    # 10 tokens are padded, 64 are not.
    cases(
        models = ["longformer_tiny_masked_lm"],
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = lengths(10, 64),
        large = [matching(dtype = ["fp16"]), matching(dtype = ["fp32", "bf16"], sequence_length = [64])],
    ),
    # One row alone, and so without a golden: that computes without numbers, where transformers finds no global tokens.
    cases(
        models = ["longformer_tiny_global_masked_lm"],
        dtypes = _DTYPES,
        batches = [1],
        parameters = lengths(10, 64),
        large = [matching(dtype = ["bf16", "fp16"]), matching(sequence_length = [64])],
    ),
    # TorchDynamo has 8 rows of 1024 tokens. One window is the length at which model_golden_test calls the model.
    cases(
        models = ["longformer_base_masked_lm"],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [1, 2, 8],
        parameters = lengths(512, 1024, 4096),
        large = [matching()],
    ),
    # One row alone, and so without a golden, which would take half a minute.
    cases(
        models = ["longformer_large_masked_lm"],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [1],
        parameters = lengths(1024, 4096),
        large = [matching()],
    ),
    # With global tokens, so that each parameter has a gradient.
    cases(
        models = ["longformer_tiny_global_masked_lm"],
        dtypes = ["fp32", "fp64"],
        batches = [2],
        parameters = lengths(10),
        run = sgd_training(),
    ),
]
