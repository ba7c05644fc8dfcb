"""The cases of the gpt_neo family: TorchDynamo's lengths and batches, generation, and training."""

load("//defs:text_cases.bzl", "decoder_cases", "lengths", "published_cases", "words_training")
load("//models/gpt_neo:variants.bzl", "TINY")

CASES = decoder_cases(
    # Tokens of the long row are up to 200 apart.
    tiny = TINY,
    # TorchDynamo has 32 rows of GPT-Neo, and one of GPT-J.
    published = [
        published_cases(["gpt_neo_125m", "gpt_neo_1_3b"], batches = [1, 8, 32], parameters = lengths(128)),
        published_cases(["gptj_6b"], batches = [1, 2], parameters = lengths(128)),
    ],
    run = words_training(),
)
