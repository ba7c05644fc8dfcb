"""The cases of the distilbert family: TorchDynamo's 256 rows of 128 tokens, 512 for questions, and longer ones."""

load("//defs:text_cases.bzl", "lengths", "published_cases", "published_names", "published_training", "sgd_training", "tiny_encoder_cases", "words_training")
load("//models/distilbert:variants.bzl", "MASKED_LMS", "QUESTION_ANSWERERS")

CASES = tiny_encoder_cases(words = ["distilbert_tiny_masked_lm"], answers = ["distilbert_tiny_qa"]) + [
    published_cases(published_names(MASKED_LMS), batches = [1, 8, 256], parameters = lengths(128, 512)),
    published_cases(published_names(QUESTION_ANSWERERS), batches = [1, 8, 512], parameters = lengths(128, 384)),
    published_training(["distilbert_base_masked_lm"], words_training()),
    published_training(["distilbert_base_qa"], sgd_training()),
]
