"""The cases of the background_matting family: TorchBench's images, and small ones for tests."""

load("//defs:cases.bzl", "cases", "matching")

CASES = [
    cases(models = ["background_matting_tiny"], dtypes = ["fp32", "fp64", "bf16", "fp16"], batches = [1, 8], large = [matching(dtype = ["fp16"])]),
    # The published network, of images that its reference can afford; its golden is about them.
    cases(models = ["background_matting"], dtypes = ["fp32"], batches = [2], parameters = [{"resolution": 64}], large = [matching()]),
    # TorchBench trains four images; TorchDynamo evaluates 16.
    cases(models = ["background_matting"], dtypes = ["fp32"], batches = [1, 2, 4, 16], large = [matching()]),
]
