"""The cases of the megatron_bert family: TorchDynamo's 16 rows of 512 tokens, and fewer."""

load("//defs:text_cases.bzl", "lengths", "published_cases", "published_names", "tiny_encoder_cases")
load("//models/megatron_bert:variants.bzl", "MODELS")

CASES = tiny_encoder_cases(
    words = ["megatron_bert_tiny_causal_lm", "megatron_bert_tiny_masked_lm"],
    answers = ["megatron_bert_tiny_qa"],
) + [
    published_cases(published_names(MODELS), batches = [1, 8, 16], parameters = lengths(128, 512)),
]
