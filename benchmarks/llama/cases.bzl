"""The cases of the llama family: all tokens at once, new tokens one after another, and training."""

load("//defs:cases.bzl", "adamw", "cases", "generation", "matching", "sgd", "training")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING")
load("//models/llama:variants.bzl", "PUBLISHED", "SHORT", "TINY")

def _lengths(*lengths):
    return [{"sequence_length": length} for length in lengths]

def _names(models):
    return [m.name for m in models]

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

CASES = [
    # Longer than the windows of the tiny models.
    cases(
        models = _names(TINY),
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = _lengths(16, 128),
        large = left_out_by_default(TINY) + [matching(sequence_length = [128])],
    ),
    # A generation computes what a forward pass does, so those are verified in one dtype more.
    cases(
        models = _names(TINY),
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = _lengths(16, 64),
        large = [matching(dtype = ["bf16", "fp16", "fp32"]), matching(sequence_length = [64])],
        run = generation(new_tokens = 8),
    ),
    cases(
        models = _names(SHORT + PUBLISHED),
        dtypes = ["fp32", "bf16"],
        batches = [1, 8],
        parameters = _lengths(128, 512, 2048),
        large = [matching()],
    ),
    cases(
        models = _names(SHORT + PUBLISHED),
        dtypes = ["fp32", "bf16"],
        batches = [1, 8],
        parameters = _lengths(128, 512, 2048),
        large = [matching()],
        run = generation(new_tokens = 32),
    ),
    cases(
        models = ["llama_tiny"],
        dtypes = ["fp32", "fp64"],
        batches = [2],
        parameters = _lengths(16),
        verify = AUTOCAST_TRAINING,
        run = training(
            [sgd(learning_rate = 0.125, momentum = 0.9), adamw(learning_rate = 1.0 / 8192, epsilon = 1e-6, weight_decay = 1.0 / 64)],
            loss = "own",
            clip_norm = 1.0,
        ),
    ),
]
