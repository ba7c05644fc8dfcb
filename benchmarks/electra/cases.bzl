"""The cases of the electra family: TorchDynamo's 64 rows of 512 tokens, 128 for questions, and fewer."""

load("//defs:text_cases.bzl", "lengths", "published_cases", "published_names", "tiny_encoder_cases")
load("//models/electra:variants.bzl", "CAUSAL_LMS", "MASKED_LMS", "QUESTION_ANSWERERS")

CASES = tiny_encoder_cases(words = ["electra_tiny_causal_lm", "electra_tiny_masked_lm"], answers = ["electra_tiny_qa"]) + [
    published_cases(published_names(CAUSAL_LMS + MASKED_LMS), batches = [1, 8, 64], parameters = lengths(128, 512)),
    published_cases(published_names(QUESTION_ANSWERERS), batches = [1, 8, 128], parameters = lengths(128, 512)),
]
