"""The cases of the speech_transformer family: the published size, and a small one for tests."""

load("//defs:cases.bzl", "cases", "matching", "sgd", "training")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING")
load("//models/speech_transformer:variants.bzl", "MODELS")

CASES = [
    cases(models = ["speech_transformer_tiny"], dtypes = ["fp32", "fp64", "bf16", "fp16"], batches = [1, 8], large = left_out_by_default(MODELS)),
    cases(
        models = ["speech_transformer_tiny"],
        dtypes = ["fp32", "fp64"],
        batches = [8],
        large = [matching(dtype = ["fp32"])],
        verify = AUTOCAST_TRAINING,
        # No Adam: the bias of keys has no gradient, and Adam would make whole steps of its rounding.
        run = training([sgd(learning_rate = 0.05, momentum = 0.9)], loss = "own"),
    ),
    cases(models = ["speech_transformer"], dtypes = ["fp32"], batches = [1, 32], large = [matching()]),
]
