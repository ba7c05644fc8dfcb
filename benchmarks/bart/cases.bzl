"""The cases of the bart family: TorchDynamo's lengths and batches, generation, and training."""

load("//defs:cases.bzl", "cases", "generation", "matching")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:text_cases.bzl", "DTYPES", "published_cases", "tiny_training", "words_training")
load("//models/bart:variants.bzl", "TINY", "TINY_CAUSAL_LMS")

def _both(sequence_length, decoder_length):
    return {"decoder_length": decoder_length, "sequence_length": sequence_length}

# Model -> tokens of a row, then rows with an encoder and, of the decoder alone, without. TorchDynamo has no bart_base.
_TORCH_DYNAMO = {
    "bart_base": (1024, [1, 8], [1, 8]),
    "bart_large": (1024, [1, 4], [1, 8]),
    "blenderbot_3b": (128, [1, 16], [1, 32]),
    "blenderbot_small": (128, [1, 128], [1, 256]),
    "mbart_large": (1024, [1, 4], [1, 8]),
    "pegasus_large": (128, [1, 64], [1, 128]),
    "plbart_base": (1024, [1, 8], [1, 16]),
}

# Rows of 128 tokens are what references can be computed for.
def _lengths(length):
    return [128] if length == 128 else [128, length]

CASES = [
    cases(
        models = [m.name for m in TINY],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = [_both(8, 8)],
        large = left_out_by_default(TINY),
    ),
    # Here the decoder has fewer tokens than the encoder.
    cases(
        models = ["bart_tiny", "m2m100_tiny"],
        dtypes = ["fp32", "fp64"],
        batches = [1],
        parameters = [_both(160, 24)],
        large = [matching(dtype = ["fp32"])],
    ),
    cases(
        models = [m.name for m in TINY_CAUSAL_LMS],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = [{"sequence_length": 8}],
        large = left_out_by_default(TINY_CAUSAL_LMS),
    ),
    published_cases(["m2m100_418m"], batches = [1, 64], parameters = [_both(128, 128)]),
] + [
    published_cases([name], batches = batches, parameters = [_both(tokens, tokens) for tokens in _lengths(length)])
    for name, (length, batches, _) in _TORCH_DYNAMO.items()
] + [
    published_cases([name + "_causal_lm"], batches = batches, parameters = [{"sequence_length": tokens} for tokens in _lengths(length)])
    for name, (length, _, batches) in _TORCH_DYNAMO.items()
] + [
    # They keep positions in four ways, and BlenderbotSmall adds them behind the norm.
    cases(
        models = ["bart_tiny", "pegasus_tiny", "blenderbot_small_tiny", "m2m100_tiny"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = [{"sequence_length": 16}],
        large = [matching(dtype = ["bf16", "fp16"]), matching(dtype = ["fp32"], model = ["pegasus_tiny", "blenderbot_small_tiny", "m2m100_tiny"])],
        run = generation(new_tokens = 8),
    ),
    published_cases(["trocr_base_causal_lm"], batches = [1, 64], parameters = [{"sequence_length": 256}]),
    cases(
        models = ["bart_tiny_causal_lm", "trocr_tiny_causal_lm"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = [{"sequence_length": 16}],
        large = [matching(dtype = ["bf16", "fp16"]), matching(dtype = ["fp32"], model = ["trocr_tiny_causal_lm"])],
        run = generation(new_tokens = 8),
    ),
    published_cases(
        ["bart_base", "bart_large", "mbart_large", "plbart_base", "pegasus_large", "blenderbot_small", "blenderbot_3b", "m2m100_418m"],
        dtypes = ["fp32", "bf16"],
        batches = [1, 8],
        parameters = [{"sequence_length": 128}],
        run = generation(new_tokens = 64),
    ),
    # The gradient of a key's bias is rounding alone, since the bias changes no attention weight. A smaller epsilon would
    # make steps of it that can be seen.
    tiny_training(["bart_tiny", "pegasus_tiny"], words_training(epsilon = 1e-5), [_both(8, 8)]),
]
