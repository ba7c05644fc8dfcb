"""The cases of the distilbert family: TorchDynamo's 256 rows of 128 tokens, 512 for questions, and longer ones."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "lengths", "published_training", "sgd_training", "tiny_encoder_cases", "words_training")
load("//models/distilbert:variants.bzl", "MASKED_LMS", "QUESTION_ANSWERERS")

# Of the published sizes; the small models run the same code, in float64 too.
_PUBLISHED = ["fp32", "bf16", "fp16"]

CASES = tiny_encoder_cases(
    words = ["distilbert_tiny_masked_lm"],
    answers = ["distilbert_tiny_qa"],
) + [
    cases(
        models = [m.name for m in MASKED_LMS[1:]],
        dtypes = _PUBLISHED,
        batches = [1, 8, 256],
        parameters = lengths(128, 512),
        large = [matching()],
    ),
    cases(
        models = [m.name for m in QUESTION_ANSWERERS[1:]],
        dtypes = _PUBLISHED,
        batches = [1, 8, 512],
        parameters = lengths(128, 384),
        large = [matching()],
    ),
    published_training(["distilbert_base_masked_lm"], words_training()),
    published_training(["distilbert_base_qa"], sgd_training()),
]
