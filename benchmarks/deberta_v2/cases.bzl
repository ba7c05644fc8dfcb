"""The cases of the deberta_v2 family."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:text_cases.bzl", "lengths", "sgd_training")
load("//models/deberta_v2:variants.bzl", "MASKED_LMS", "QUESTION_ANSWERERS")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

# 48 layers, whose 1.5 billion parameters take 6 GB in float32.
_LARGEST = "deberta_v2_xxlarge_masked_lm"

_TINY = ["deberta_v2_tiny_masked_lm", "deberta_v2_tiny_absolute_masked_lm"]

CASES = [
    # 16 tokens fill two of the buckets that distances share, 64 all of them.
    cases(
        models = _TINY,
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 16, 64),
        large = left_out_by_default(
            [m for m in MASKED_LMS if m.name in _TINY],
            also = {"deberta_v2_tiny_absolute_masked_lm": "positions are added to the words, and scores know no distances"},
        ) + [matching(sequence_length = [64]), matching(dtype = ["fp32", "bf16"], sequence_length = [16])],
    ),
    cases(
        models = ["deberta_v2_tiny_qa"],
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = lengths(8),
        large = [matching(dtype = ["bf16", "fp16"])],
    ),
    # Short rows, which model_golden_test reads.
    cases(
        models = [m.name for m in MASKED_LMS + QUESTION_ANSWERERS if m.name not in _TINY + ["deberta_v2_tiny_qa", _LARGEST]],
        dtypes = ["fp32"],
        batches = [8],
        parameters = lengths(8),
        large = [matching()],
    ),
    # TorchDynamo has 8 rows of 512 tokens.
    cases(
        models = [m.name for m in MASKED_LMS + QUESTION_ANSWERERS if m.name not in _TINY + ["deberta_v2_tiny_qa", _LARGEST]],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [1, 4, 8],
        parameters = lengths(128, 512),
        large = [matching()],
    ),
    # One row alone, and so without a golden.
    cases(
        models = [_LARGEST],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [1],
        parameters = lengths(128, 512),
        large = [matching()],
    ),
    cases(
        models = ["deberta_v2_tiny_masked_lm", "deberta_v2_tiny_qa"],
        dtypes = ["fp32", "fp64"],
        batches = [2],
        parameters = lengths(8),
        run = sgd_training(),
    ),
]
