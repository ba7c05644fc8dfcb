"""The cases of the llava family: a row whose image has some of its tokens, and new words behind it."""

load("//defs:cases.bzl", "cases", "generation", "matching")
load("//defs:text_cases.bzl", "DTYPES", "lengths", "published_cases")
load("//models/llava:variants.bzl", "SHORT", "TINY")

_TINY = [m.name for m in TINY]
_SHORT = [m.name for m in SHORT]

CASES = [
    cases(
        models = _TINY,
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(16),
        large = [matching(dtype = ["fp16"])],
    ),
    cases(
        models = _TINY,
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(16),
        large = [matching(dtype = ["bf16", "fp16", "fp32"])],
        run = generation(new_tokens = 8),
    ),
    # 576 tokens of the image and 64 others.
    published_cases(_SHORT, dtypes = ["fp32", "bf16"], batches = [1, 2], parameters = lengths(640)),
    published_cases(_SHORT, dtypes = ["fp32", "bf16"], batches = [1], parameters = lengths(640), run = generation(new_tokens = 32)),
]
