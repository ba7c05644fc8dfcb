"""The cases of the electra family: TorchDynamo's 64 rows of 512 tokens, 128 for questions, and fewer."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "lengths", "tiny_encoder_cases")
load("//models/electra:variants.bzl", "CAUSAL_LMS", "MASKED_LMS", "QUESTION_ANSWERERS")

# Of the published sizes; the small models run the same code, in float64 too.
_PUBLISHED = ["fp32", "bf16", "fp16"]

_TINY = ["electra_tiny_causal_lm", "electra_tiny_masked_lm", "electra_tiny_qa"]

CASES = tiny_encoder_cases(
    words = ["electra_tiny_causal_lm", "electra_tiny_masked_lm"],
    answers = ["electra_tiny_qa"],
) + [
    cases(
        models = [m.name for m in CAUSAL_LMS + MASKED_LMS if m.name not in _TINY],
        dtypes = _PUBLISHED,
        batches = [1, 8, 64],
        parameters = lengths(128, 512),
        large = [matching()],
    ),
    cases(
        models = [m.name for m in QUESTION_ANSWERERS if m.name not in _TINY],
        dtypes = _PUBLISHED,
        batches = [1, 8, 128],
        parameters = lengths(128, 512),
        large = [matching()],
    ),
]
