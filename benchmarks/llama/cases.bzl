"""The cases of the llama family: all tokens at once, new tokens one after another, and training."""

load("//defs:cases.bzl", "cases", "execution", "generation", "matching")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:text_cases.bzl", "DTYPES", "lengths", "published_cases", "tiny_training", "words_training")
load("//models/llama:variants.bzl", "PUBLISHED", "SHORT", "SMALL", "TINY", "TINY_EXPERTS", "TINY_PADDED")

def _names(models):
    return [m.name for m in models]

def _tiny_cases(models):
    return [
        # Longer than the windows of the tiny models.
        cases(
            models = _names(models),
            dtypes = DTYPES,
            batches = [1, 8],
            parameters = lengths(16, 128),
            large = left_out_by_default(TINY + TINY_EXPERTS) + [matching(sequence_length = [128])],
        ),
        # A generation computes what a forward pass does, in parts: those are told apart in float64 alone.
        cases(
            models = _names(models),
            dtypes = DTYPES,
            batches = [1, 8],
            parameters = lengths(16, 64),
            large = [matching(dtype = ["bf16", "fp16", "fp32"]), matching(sequence_length = [64])],
            run = generation(new_tokens = 8),
        ),
    ]

# Experts of a token are a choice: benchmarks/harness/runner/verdict/same_choices.h.
CASES = _tiny_cases(TINY) + _tiny_cases(TINY_EXPERTS) + [
    # Rows of different lengths.
    cases(
        models = _names(TINY_PADDED),
        dtypes = DTYPES,
        batches = [8],
        parameters = lengths(16),
        large = [matching(dtype = ["bf16", "fp16", "fp32"])],
        run = generation(new_tokens = 8),
    ),
] + [
    # One case of int8_weights is verified by default; bert has the one of int8_dynamic.
    cases(
        models = models,
        dtypes = [dtype],
        batches = [1],
        parameters = lengths(length),
        executions = [execution(lowering = lowering)],
        large = [matching()] if lowering == "int8_dynamic" or length > 16 else [],
        run = generation(new_tokens = new_tokens),
    )
    for models, length, new_tokens in [(["llama_tiny"], 16, 8), (["tinyllama_2l", "tinyllama"], 128, 32)]
    for dtype, lowering in [("fp32", "int8_dynamic"), ("bf16", "int8_weights")] + ([("bf16", "int4_weights")] if length > 16 else [])
] + [
    # Dynamo has 8 rows. model_golden_test reads the shortest rows.
    published_cases(
        _names(SHORT + PUBLISHED),
        dtypes = ["fp32", "bf16"],
        batches = [1, 8],
        parameters = lengths(16, 128, 512, 2048),
    ),
    published_cases(
        _names(SHORT + PUBLISHED),
        dtypes = ["fp32", "bf16"],
        batches = [1, 8],
        parameters = lengths(128, 512, 2048),
        run = generation(new_tokens = 32),
    ),
    published_cases(_names(SMALL), dtypes = ["fp32"], batches = [1, 2, 32], parameters = lengths(16, 128)),
    tiny_training(["llama_tiny"], words_training(), lengths(16)),
]
