"""The cases of the unet family: TorchBench's image, 640 x 959 pixels, and a small one of the same kind, odd where it is halved."""

load("//defs:cases.bzl", "cases", "matching", "nondeterministic")
load("//defs:image_classifier_family.bzl", "image_training_cases")
load("//defs:nondeterminism.bzl", "TRANSPOSED_CONVOLUTION")

_TRANSPOSED = [nondeterministic(TRANSPOSED_CONVOLUTION, where = matching(model = ["pytorch_unet"]))]
_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

CASES = [
    # The first row of a model is the one that its golden is about.
    cases(
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = [{"height": 64, "width": 95}],
        large = [matching(dtype = ["fp16"])],
        nondeterministic = _TRANSPOSED,
    ),
    cases(dtypes = _DTYPES, batches = [1, 8, 16], large = [matching()], nondeterministic = _TRANSPOSED),
    # Height and width are odd at different depths.
    cases(dtypes = ["fp64"], batches = [2], parameters = [{"height": 39, "width": 22}], nondeterministic = _TRANSPOSED),
    image_training_cases(["pytorch_unet"], loss = "mean", parameters = [{"height": 64, "width": 95}]),
]
