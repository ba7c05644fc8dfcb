"""The cases of the roberta family: TorchDynamo's 32 rows of 512 tokens, and fewer."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "lengths", "tiny_encoder_cases")
load("//models/roberta:variants.bzl", "MODELS")

# Of the published sizes; the small models run the same code, in float64 too.
_PUBLISHED = ["fp32", "bf16", "fp16"]

_TINY = ["roberta_tiny_causal_lm", "roberta_tiny_masked_lm", "roberta_tiny_qa"]

CASES = tiny_encoder_cases(
    words = ["roberta_tiny_causal_lm", "roberta_tiny_masked_lm"],
    answers = ["roberta_tiny_qa"],
) + [
    cases(
        models = [m.name for m in MODELS if m.name not in _TINY],
        dtypes = _PUBLISHED,
        batches = [1, 8, 32],
        parameters = lengths(128, 512),
        large = [matching()],
    ),
]
