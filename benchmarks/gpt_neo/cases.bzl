"""The cases of the gpt_neo family: TorchDynamo's lengths and batches, generation, and training."""

load("//defs:cases.bzl", "cases", "generation", "matching", "training")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:text_cases.bzl", "lengths", "words_training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING")
load("//models/gpt_neo:variants.bzl", "TINY")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]
_TINY = [m.name for m in TINY]

CASES = [
    # Tokens of the long row are up to 200 apart.
    cases(
        models = _TINY,
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 200),
        large = left_out_by_default(TINY) + [matching(dtype = ["fp32", "bf16"], sequence_length = [200])],
    ),
    # TorchDynamo has 32 rows of GPT-Neo, and one of GPT-J.
    cases(
        models = ["gpt_neo_125m", "gpt_neo_1_3b"],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [1, 8, 32],
        parameters = lengths(128),
        large = [matching()],
    ),
    cases(
        models = ["gptj_6b"],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [1, 2],
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
        models = ["gpt_neo_125m", "gpt_neo_1_3b", "gptj_6b"],
        dtypes = ["fp32", "bf16"],
        batches = [1, 8],
        parameters = lengths(128),
        large = [matching()],
        run = generation(new_tokens = 128),
    ),
    cases(
        models = _TINY,
        dtypes = ["fp32", "fp64"],
        batches = [2],
        parameters = lengths(8),
        verify = AUTOCAST_TRAINING,
        run = words_training(),
    ),
]
