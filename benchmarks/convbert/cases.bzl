"""The cases of the convbert family."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:text_cases.bzl", "DTYPES", "lengths", "published_cases", "published_names", "sgd_training", "tiny_training")
load("//models/convbert:variants.bzl", "MODELS")

_TINY = [m for m in MODELS if "tiny" in m.name]

CASES = [
    cases(
        models = [m.name for m in _TINY],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 128),
        large = left_out_by_default(
            _TINY,
            also = {"convbert_tiny_grouped_masked_lm": "num_groups and embedding_size choose a grouped layer and a projection"},
        ) + [matching(sequence_length = [128])],
    ),
    # TorchDynamo has 32 rows of 512 tokens.
    published_cases(published_names(MODELS), batches = [1, 8, 32], parameters = lengths(128, 512)),
    tiny_training(["convbert_tiny_masked_lm"], sgd_training(), verify = None),
]
