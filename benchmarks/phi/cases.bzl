"""The cases of the phi family: all tokens at once, generation, and training."""

load("//defs:text_cases.bzl", "decoder_cases", "lengths", "published_cases", "published_names", "words_training")
load("//models/phi:variants.bzl", "MODELS", "TINY")

CASES = decoder_cases(
    tiny = TINY,
    # TorchBench's moondream has a row of 512 tokens.
    published = [published_cases(published_names(MODELS), batches = [1, 8], parameters = lengths(128, 512))],
    # As of OPT: the bias of a key changes attention by its rotated features alone.
    run = words_training(epsilon = 1e-5),
)
