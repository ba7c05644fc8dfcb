"""The cases of the tacotron2 family: torchaudio's sizes with 100 symbols and frames, and small ones for tests."""

load("//defs:cases.bzl", "cases", "matching", "nondeterministic", "sgd", "training")
load("//defs:nondeterminism.bzl", "RECURRENT_LAYER")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING", "default_verify")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]
_RECURRENT = [nondeterministic(RECURRENT_LAYER)]

# Gates of one row lie close together.
_VERIFY = {dtype: default_verify(dtype, batch = 16) for dtype in _DTYPES}

CASES = [
    cases(models = ["tacotron2_tiny"], dtypes = _DTYPES, batches = [1, 16], large = [matching(dtype = ["bf16", "fp16"])], nondeterministic = _RECURRENT, verify = _VERIFY),
    cases(
        models = ["tacotron2_tiny"],
        dtypes = ["fp32", "fp64"],
        batches = [4],
        large = [matching(dtype = ["fp32"])],
        nondeterministic = _RECURRENT,
        verify = AUTOCAST_TRAINING,
        # No Adam: a bias before a norm has no gradient, and Adam would make whole steps of its rounding.
        run = training([sgd(learning_rate = 0.05, momentum = 0.9)], loss = "own"),
    ),
    cases(models = ["tacotron2"], dtypes = ["fp32"], batches = [1, 64], large = [matching()], nondeterministic = _RECURRENT),
]
