"""The cases of the clip family."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "lengths")
load("//models/clip:variants.bzl", "TEXT", "TINY", "TINY_TEXT")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

def _texts(texts, sequence_length):
    return {"sequence_length": sequence_length, "texts": texts}

CASES = [
    cases(
        models = [m.name for m in TINY],
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = [_texts(8, 16)],
        large = [matching(dtype = ["fp16"]), matching(batch = [8])],
    ),
    cases(
        models = [m.name for m in TINY_TEXT],
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = lengths(16),
        large = [matching(dtype = ["fp32", "fp16"]), matching(batch = [8])],
    ),
    cases(
        models = [m.name for m in TEXT],
        dtypes = _DTYPES,
        batches = [1, 8, 32],
        parameters = lengths(77),
        large = [matching()],
    ),
    cases(
        models = ["clip_vit_b_32", "clip_vit_b_16", "clip_vit_l_14"],
        dtypes = _DTYPES,
        batches = [1, 8, 32],
        parameters = [_texts(8, 77)],
        large = [matching()],
    ),
]
