"""The cases of the megatron_bert family: TorchDynamo's 16 rows of 512 tokens, and fewer."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "lengths", "tiny_encoder_cases")
load("//models/megatron_bert:variants.bzl", "MODELS")

# Of the published sizes; the small models run the same code, in float64 too.
_PUBLISHED = ["fp32", "bf16", "fp16"]

_TINY = ["megatron_bert_tiny_causal_lm", "megatron_bert_tiny_masked_lm", "megatron_bert_tiny_qa"]

CASES = tiny_encoder_cases(
    words = ["megatron_bert_tiny_causal_lm", "megatron_bert_tiny_masked_lm"],
    answers = ["megatron_bert_tiny_qa"],
) + [
    cases(
        models = [m.name for m in MODELS if m.name not in _TINY],
        dtypes = _PUBLISHED,
        batches = [1, 8, 16],
        parameters = lengths(128, 512),
        large = [matching()],
    ),
]
