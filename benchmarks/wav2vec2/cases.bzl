"""The cases of the wav2vec2 family: a second of sound, ten seconds, and training by CTC."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:text_cases.bzl", "DTYPES", "published_cases", "published_training", "sgd_training", "tiny_training", "words_training")
load("//models/wav2vec2:variants.bzl", "MODELS", "PUBLISHED", "TINY")

def _samples(*numbers):
    return [{"samples": number} for number in numbers]

_TINY = [m for m in MODELS if m.name in TINY]

CASES = [
    cases(
        models = TINY.keys(),
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = _samples(2000),
        large = left_out_by_default(_TINY),
    ),
    published_cases(PUBLISHED.keys(), batches = [1, 8], parameters = _samples(16000)),
    published_cases(["wav2vec2_base"], batches = [1, 8], parameters = _samples(160000), dtypes = ["fp32", "bf16"]),
    # The gradient of a key's bias is rounding.
    tiny_training(TINY.keys(), sgd_training(), _samples(2000), large = [matching(dtype = ["fp32"])]),
    published_training(["wav2vec2_base"], words_training(), _samples(16000)),
]
