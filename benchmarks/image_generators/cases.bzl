"""The cases of the image_generators family: TorchBench's sizes of images, and small networks for tests."""

load("//defs:cases.bzl", "cases", "matching", "nondeterministic")
load("//defs:image_classifier_family.bzl", "image_training_cases")
load("//defs:nondeterminism.bzl", "TRANSPOSED_CONVOLUTION")
load("//models/image_generators:variants.bzl", "TINY")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]
_TINY = [m.name for m in TINY]
_TRANSPOSED = [nondeterministic(TRANSPOSED_CONVOLUTION)]

CASES = [
    cases(
        models = _TINY,
        dtypes = _DTYPES,
        batches = [1, 8],
        large = [matching(dtype = ["fp16"]), matching(dtype = ["fp32", "bf16"], model = _TINY[1:])],
        nondeterministic = _TRANSPOSED,
    ),
    image_training_cases(_TINY, loss = "mean", dtypes = ["fp64"], large = []),
    # The first row of a model is the one that its golden is about.
    cases(
        models = ["cyclegan_generator", "stargan_generator"],
        dtypes = ["fp32"],
        batches = [2],
        parameters = [{"resolution": 64}],
        large = [matching()],
        nondeterministic = _TRANSPOSED,
    ),
    # TorchBench has one image for CycleGAN's and 16 for StarGAN's.
    cases(
        models = ["cyclegan_generator", "stargan_generator"],
        dtypes = ["fp32", "bf16"],
        batches = [1, 2, 16],
        large = [matching()],
        nondeterministic = _TRANSPOSED,
    ),
]
