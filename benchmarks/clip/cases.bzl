"""The cases of the clip family."""

load("//defs:cases.bzl", "cases", "matching")
load("//models/clip:variants.bzl", "TINY")

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
        models = ["clip_vit_b_32", "clip_vit_b_16", "clip_vit_l_14"],
        dtypes = _DTYPES,
        batches = [1, 8, 32],
        parameters = [_texts(8, 77)],
        large = [matching()],
    ),
]
