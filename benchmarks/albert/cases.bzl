"""The cases of the albert family: TorchDynamo's 8 rows of 512 tokens, and fewer."""

load("//defs:text_cases.bzl", "lengths", "published_cases", "published_names", "tiny_encoder_cases")
load("//models/albert:variants.bzl", "MODELS")

CASES = tiny_encoder_cases(words = ["albert_tiny_masked_lm"], answers = ["albert_tiny_qa"]) + [
    published_cases(published_names(MODELS), batches = [1, 8], parameters = lengths(128, 512)),
]
