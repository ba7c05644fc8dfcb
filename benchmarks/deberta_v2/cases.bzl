"""The cases of the deberta_v2 family."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:text_cases.bzl", "DTYPES", "lengths", "published_cases", "published_names", "sgd_training", "tiny_training")
load("//models/deberta_v2:variants.bzl", "MASKED_LMS", "QUESTION_ANSWERERS")

# 48 layers, whose 1.5 billion parameters take 6 GB in float32.
_LARGEST = "deberta_v2_xxlarge_masked_lm"

_PUBLISHED = [name for name in published_names(MASKED_LMS + QUESTION_ANSWERERS) if name != _LARGEST]

_TINY = ["deberta_v2_tiny_masked_lm", "deberta_v2_tiny_absolute_masked_lm"]

CASES = [
    # 16 tokens fill two of the buckets that distances share, 64 all of them.
    cases(
        models = _TINY,
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 16, 64),
        large = left_out_by_default(
            [m for m in MASKED_LMS if m.name in _TINY],
            also = {"deberta_v2_tiny_absolute_masked_lm": "positions are added to the words, and scores know no distances"},
        ) + [matching(sequence_length = [64]), matching(dtype = ["fp32", "bf16"], sequence_length = [16])],
    ),
    cases(
        models = ["deberta_v2_tiny_qa"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(8),
        large = [matching(dtype = ["bf16", "fp16"])],
    ),
    # Short rows, which model_golden_test reads.
    published_cases(_PUBLISHED, dtypes = ["fp32"], batches = [8], parameters = lengths(8)),
    # TorchDynamo has 8 rows of 512 tokens.
    published_cases(_PUBLISHED, batches = [1, 4, 8], parameters = lengths(128, 512)),
    # One row alone, and so without a golden.
    published_cases([_LARGEST], batches = [1], parameters = lengths(128, 512)),
    tiny_training(["deberta_v2_tiny_masked_lm", "deberta_v2_tiny_qa"], sgd_training(), verify = None),
]
