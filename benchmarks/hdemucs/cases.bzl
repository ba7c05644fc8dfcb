"""The cases of the hdemucs family: one or two seconds of a song in torchaudio's sizes, and small ones for tests."""

load("//defs:cases.bzl", "cases", "matching", "nondeterministic", "sgd", "training")
load("//defs:nondeterminism.bzl", "RECURRENT_LAYER", "TRANSPOSED_CONVOLUTION")
load("//models/hdemucs:variants.bzl", "PUBLISHED")

_KERNELS = [nondeterministic(RECURRENT_LAYER), nondeterministic(TRANSPOSED_CONVOLUTION)]

CASES = [
    cases(
        models = ["hdemucs_tiny"],
        dtypes = ["fp32", "fp64", "bf16", "fp16"],
        batches = [1, 4],
        large = [matching(dtype = ["fp16"])],
        nondeterministic = _KERNELS,
    ),
    cases(
        models = ["hdemucs_tiny_long"],
        dtypes = ["fp32", "fp64"],
        batches = [1],
        large = [matching(dtype = ["fp32"])],
        nondeterministic = _KERNELS,
    ),
    cases(
        models = ["hdemucs_tiny"],
        dtypes = ["fp32", "fp64"],
        batches = [2],
        large = [matching(dtype = ["fp32"])],
        nondeterministic = _KERNELS,
        run = training([sgd(learning_rate = 0.05, momentum = 0.9)], loss = "own"),
    ),
    cases(models = [m.name for m in PUBLISHED], dtypes = ["fp32", "bf16"], batches = [1, 4], large = [matching()], nondeterministic = _KERNELS),
]
