"""The cases of the layoutlm family: TorchDynamo's 32 rows of 512 tokens, and fewer."""

load("//defs:cases.bzl", "adamw", "cases", "matching", "sgd", "training")
load("//defs:text_cases.bzl", "lengths")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING", "default_verify")
load("//models/layoutlm:variants.bzl", "MASKED_LMS", "SEQUENCE_CLASSIFIERS")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

# Of the published sizes; the small models run the same code, in float64 too.
_PUBLISHED = ["fp32", "bf16", "fp16"]

CASES = [
    cases(
        models = ["layoutlm_tiny_masked_lm"],
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 128),
        large = [matching(dtype = ["fp16"]), matching(batch = [8]), matching(sequence_length = [128])],
    ),
    # A row has two scores, so that two rows would say little.
    cases(
        models = ["layoutlm_tiny_sequence_classification"],
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 128),
        large = [matching(dtype = ["fp16"]), matching(sequence_length = [128])],
        verify = {dtype: default_verify(dtype, batch = 8) for dtype in _DTYPES},
    ),
    cases(
        models = [m.name for m in MASKED_LMS[1:]],
        dtypes = _PUBLISHED,
        batches = [1, 8, 32],
        parameters = lengths(128, 512),
        large = [matching()],
    ),
    cases(
        models = [m.name for m in SEQUENCE_CLASSIFIERS[1:]],
        dtypes = _PUBLISHED,
        batches = [1, 8, 32],
        parameters = lengths(128, 512),
        large = [matching()],
        verify = {dtype: default_verify(dtype, batch = 8) for dtype in _PUBLISHED},
    ),
    # At bert's rate of 0.125 two rows are learned within two steps, and the third gradient is off by 1.8e-5 of its std (rms).
    cases(
        models = ["layoutlm_tiny_masked_lm", "layoutlm_tiny_sequence_classification"],
        dtypes = ["fp32", "fp64"],
        batches = [2],
        parameters = lengths(8),
        verify = AUTOCAST_TRAINING,
        run = training(
            [sgd(learning_rate = 1.0 / 32, momentum = 0.9), adamw(learning_rate = 1.0 / 8192, epsilon = 1e-6, weight_decay = 1.0 / 64)],
            loss = "own",
            clip_norm = 1.0,
        ),
    ),
]
