"""The cases of the layoutlm family: TorchDynamo's 32 rows of 512 tokens, and fewer."""

load("//defs:cases.bzl", "adamw", "cases", "matching", "sgd", "training")
load("//defs:text_cases.bzl", "DTYPES", "lengths", "published_cases", "published_names", "tiny_training")
load("//defs:tolerances.bzl", "default_verify")
load("//models/layoutlm:variants.bzl", "MASKED_LMS", "SEQUENCE_CLASSIFIERS")

CASES = [
    cases(
        models = ["layoutlm_tiny_masked_lm"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 128),
        large = [matching(dtype = ["fp16"]), matching(batch = [8]), matching(sequence_length = [128])],
    ),
    # A row has two scores, so that two rows would say little.
    cases(
        models = ["layoutlm_tiny_sequence_classification"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 128),
        large = [matching(dtype = ["fp16"]), matching(sequence_length = [128])],
        verify = {dtype: default_verify(dtype, batch = 8) for dtype in DTYPES},
    ),
    published_cases(published_names(MASKED_LMS), batches = [1, 8, 32], parameters = lengths(128, 512)),
    published_cases(
        published_names(SEQUENCE_CLASSIFIERS),
        batches = [1, 8, 32],
        parameters = lengths(128, 512),
        verify = {dtype: default_verify(dtype, batch = 8) for dtype in ["fp32", "bf16", "fp16"]},
    ),
    # At bert's rate of 0.125 two rows are learned within two steps, and the third gradient is off by 1.8e-5 of its std (rms).
    tiny_training(
        ["layoutlm_tiny_masked_lm", "layoutlm_tiny_sequence_classification"],
        training(
            [sgd(learning_rate = 1.0 / 32, momentum = 0.9), adamw(learning_rate = 1.0 / 8192, epsilon = 1e-6, weight_decay = 1.0 / 64)],
            loss = "own",
            clip_norm = 1.0,
        ),
    ),
]
