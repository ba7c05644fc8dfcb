"""The cases of the roberta family: TorchDynamo's 32 rows of 512 tokens, and fewer."""

load("//defs:text_cases.bzl", "lengths", "published_cases", "published_names", "tiny_encoder_cases")
load("//models/roberta:variants.bzl", "MODELS")

CASES = tiny_encoder_cases(words = ["roberta_tiny_causal_lm", "roberta_tiny_masked_lm"], answers = ["roberta_tiny_qa"]) + [
    published_cases(published_names(MODELS), batches = [1, 8, 32], parameters = lengths(128, 512)),
]
