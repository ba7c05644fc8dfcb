"""The cases of the opt family: TorchDynamo's lengths and batches, generation, and training."""

load("//defs:cases.bzl", "cases", "generation", "matching", "training")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:text_cases.bzl", "lengths", "words_training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING")
load("//models/opt:variants.bzl", "TINY")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]
_TINY = [m.name for m in TINY]

CASES = [
    # The long row uses most of the table of positions.
    cases(
        models = _TINY,
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 200),
        large = left_out_by_default(TINY) + [matching(dtype = ["fp32", "bf16"], sequence_length = [200])],
    ),
    # TorchDynamo has 4 rows of OPT, and 32 of XGLM.
    cases(
        models = ["opt_125m", "opt_1_3b"],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [1, 4, 8],
        parameters = lengths(128, 2048),
        large = [matching()],
    ),
    cases(
        models = ["xglm_564m"],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [1, 32],
        parameters = lengths(128),
        large = [matching()],
    ),
    cases(
        models = _TINY,
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = lengths(16),
        large = [matching(dtype = ["bf16", "fp16"])],
        run = generation(new_tokens = 8),
    ),
    cases(
        models = ["opt_125m", "opt_1_3b", "xglm_564m"],
        dtypes = ["fp32", "bf16"],
        batches = [1, 8],
        parameters = lengths(128),
        large = [matching()],
        run = generation(new_tokens = 128),
    ),
    # The gradient of a key's bias is rounding alone, since the bias changes no attention weight. A smaller epsilon would
    # make steps of it that can be seen.
    cases(
        models = _TINY,
        dtypes = ["fp32", "fp64"],
        batches = [2],
        parameters = lengths(8),
        verify = AUTOCAST_TRAINING,
        run = words_training(epsilon = 1e-5),
    ),
]
