"""The cases of the bert_pytorch family: TorchBench's rows of 128 words, and small ones for tests."""

load("//defs:cases.bzl", "cases", "matching", "sgd", "training")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING", "default_verify")
load("//models/bert_pytorch:variants.bzl", "MODELS")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

# Two numbers of a row say whether a sentence follows.
_VERIFY = {dtype: default_verify(dtype, batch = 16) for dtype in _DTYPES}

CASES = [
    cases(models = ["bert_pytorch_tiny"], dtypes = _DTYPES, batches = [1, 16], large = left_out_by_default(MODELS), verify = _VERIFY),
    cases(
        models = ["bert_pytorch_tiny"],
        dtypes = ["fp32", "fp64"],
        batches = [8],
        large = [matching(dtype = ["fp32"])],
        verify = AUTOCAST_TRAINING,
        # No Adam: the bias of keys has no gradient, and Adam would make whole steps of its rounding.
        run = training([sgd(learning_rate = 0.05, momentum = 0.9)], loss = "own"),
    ),
    cases(models = ["bert_pytorch"], dtypes = ["fp32"], batches = [1, 16], large = [matching()], verify = _VERIFY),
]
