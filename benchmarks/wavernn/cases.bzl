"""The cases of the wavernn family: rows of five frames, torchaudio's published sizes, and a small one for tests."""

load("//defs:cases.bzl", "adam", "cases", "matching", "nondeterministic", "sgd", "training")
load("//defs:nondeterminism.bzl", "RECURRENT_LAYER")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]
_RECURRENT = [nondeterministic(RECURRENT_LAYER)]

CASES = [
    cases(models = ["wavernn_tiny"], dtypes = _DTYPES, batches = [1, 8, 64], large = [matching(dtype = ["fp16"])], nondeterministic = _RECURRENT),
    # 256 is the batch size of torchaudio's training example. The tiny one runs the same code.
    cases(models = ["wavernn"], dtypes = _DTYPES, batches = [1, 8, 64, 256], large = [matching()], nondeterministic = _RECURRENT),
    cases(
        models = ["wavernn_tiny"],
        dtypes = ["fp32", "fp64"],
        batches = [8],
        large = [matching(dtype = ["fp32"])],
        verify = AUTOCAST_TRAINING,
        run = training(
            [sgd(learning_rate = 0.05, momentum = 0.9), adam(learning_rate = 5e-4, epsilon = 1e-6)],
            loss = "own",
        ),
    ),
]
