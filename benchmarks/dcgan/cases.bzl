"""The cases of the dcgan family: TorchBench's batch sizes, 32 in training, 256 in evaluation and TorchDynamo's 1024, and those of image classifiers."""

load("//defs:cases.bzl", "cases", "matching", "nondeterministic")
load("//defs:image_classifier_family.bzl", "image_training_cases")
load("//defs:nondeterminism.bzl", "TRANSPOSED_CONVOLUTION")
load("//defs:tolerances.bzl", "default_verify")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

def _cases(**row):
    return cases(
        dtypes = _DTYPES,
        batches = [1, 8, 32, 64, 128, 256, 1024],
        large = [matching(dtype = ["fp16"]), matching(batch = [1024])],
        **row
    )

CASES = [
    _cases(models = ["dcgan_generator"], nondeterministic = [nondeterministic(TRANSPOSED_CONVOLUTION)]),
    # It says one number of each image; the two of the usual rows may happen to be nearly the same, which leaves no spread.
    _cases(models = ["dcgan_discriminator"], verify = {dtype: default_verify(dtype, batch = 8) for dtype in _DTYPES}),
    image_training_cases(["dcgan_generator", "dcgan_discriminator"], loss = "mean"),
]
