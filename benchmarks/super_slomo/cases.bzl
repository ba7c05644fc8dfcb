"""The cases of the super_slomo family: TorchBench's frames, and small ones for tests.

None is in bf16 or fp16: positions of pixels are numbers of the network's dtype. Bf16 has no odd one above 256.
"""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:image_classifier_family.bzl", "image_training_cases")

CASES = [
    cases(models = ["super_slomo_tiny"], dtypes = ["fp32", "fp64"], batches = [1, 8]),
    image_training_cases(["super_slomo_tiny"], loss = "mean", dtypes = ["fp64"], large = []),
    # The first row of a model is the one that its golden is about.
    cases(models = ["super_slomo"], dtypes = ["fp32"], batches = [2], parameters = [{"resolution": 64}], large = [matching()]),
    # TorchBench evaluates 10 rows and trains 6.
    cases(models = ["super_slomo"], dtypes = ["fp32"], batches = [1, 2, 6, 10], large = [matching()]),
]
