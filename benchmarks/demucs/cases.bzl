"""The cases of the demucs family: TorchBench's nine seconds of a song, and short sounds for tests."""

load("//defs:cases.bzl", "cases", "matching", "nondeterministic", "sgd", "training")
load("//defs:nondeterminism.bzl", "RECURRENT_LAYER", "TRANSPOSED_CONVOLUTION")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]
_KERNELS = [nondeterministic(RECURRENT_LAYER), nondeterministic(TRANSPOSED_CONVOLUTION)]

CASES = [
    cases(models = ["demucs_tiny"], dtypes = _DTYPES, batches = [1, 8], large = [matching(dtype = ["fp16"])], nondeterministic = _KERNELS),
    cases(
        models = ["demucs_tiny"],
        dtypes = ["fp32", "fp64"],
        batches = [4],
        large = [matching(dtype = ["fp32"])],
        nondeterministic = _KERNELS,
        verify = AUTOCAST_TRAINING,
        run = training([sgd(learning_rate = 0.05, momentum = 0.9)], loss = "own"),
    ),
    # 8 is TorchBench's batch.
    cases(models = ["demucs"], dtypes = ["fp32", "bf16"], batches = [1, 8], large = [matching()], nondeterministic = _KERNELS),
]
