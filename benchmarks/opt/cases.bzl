"""The cases of the opt family: TorchDynamo's lengths and batches, generation, and training."""

load("//defs:text_cases.bzl", "decoder_cases", "lengths", "published_cases", "words_training")
load("//models/opt:variants.bzl", "TINY")

CASES = decoder_cases(
    # The long row uses most of the table of positions.
    tiny = TINY,
    # TorchDynamo has 4 rows of OPT, and 32 of XGLM.
    published = [
        published_cases(["opt_125m", "opt_1_3b"], batches = [1, 4, 8], parameters = lengths(128, 2048)),
        published_cases(["xglm_564m"], batches = [1, 32], parameters = lengths(128)),
    ],
    # The gradient of a key's bias is rounding alone, since the bias changes no attention weight. A smaller epsilon would
    # make steps of it that can be seen.
    run = words_training(epsilon = 1e-5),
)
