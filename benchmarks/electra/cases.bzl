"""The cases of the electra family: TorchDynamo's 64 rows of 512 tokens, 128 for questions, and fewer."""

load("//defs:cases.bzl", "adamw", "cases", "matching", "sgd", "training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING")
load("//models/electra:variants.bzl", "CAUSAL_LMS", "MASKED_LMS", "QUESTION_ANSWERERS")

def _lengths(*lengths):
    return [{"sequence_length": length} for length in lengths]

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

# Of the published sizes; the small models run the same code, in float64 too.
_PUBLISHED = ["fp32", "bf16", "fp16"]

_TINY = ["electra_tiny_causal_lm", "electra_tiny_masked_lm", "electra_tiny_qa"]

CASES = [
    cases(
        models = _TINY,
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = _lengths(8, 128),
        large = [matching(dtype = ["fp16"]), matching(batch = [8]), matching(sequence_length = [128])],
    ),
    cases(
        models = [m.name for m in CAUSAL_LMS + MASKED_LMS if m.name not in _TINY],
        dtypes = _PUBLISHED,
        batches = [1, 8, 64],
        parameters = _lengths(128, 512),
        large = [matching()],
    ),
    cases(
        models = [m.name for m in QUESTION_ANSWERERS if m.name not in _TINY],
        dtypes = _PUBLISHED,
        batches = [1, 8, 128],
        parameters = _lengths(128, 512),
        large = [matching()],
    ),
    cases(
        models = ["electra_tiny_causal_lm", "electra_tiny_masked_lm"],
        dtypes = ["fp32", "fp64"],
        batches = [2],
        parameters = _lengths(8),
        verify = AUTOCAST_TRAINING,
        run = training(
            [sgd(learning_rate = 0.125, momentum = 0.9), adamw(learning_rate = 1.0 / 8192, epsilon = 1e-6, weight_decay = 1.0 / 64)],
            loss = "own",
            clip_norm = 1.0,
        ),
    ),
    # The gradient of the scores' bias is rounding alone, as in bert, of which Adam makes whole steps.
    cases(
        models = ["electra_tiny_qa"],
        dtypes = ["fp32", "fp64"],
        batches = [2],
        parameters = _lengths(8),
        verify = AUTOCAST_TRAINING,
        run = training([sgd(learning_rate = 0.125, momentum = 0.9)], loss = "own", clip_norm = 1.0),
    ),
]
