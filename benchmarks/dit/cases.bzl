"""The cases of the dit family: DiT-XL/2, and a small network for tests.

None trains: in training, diffusers draws which images lose their class.
"""

load("//defs:cases.bzl", "cases", "matching")

CASES = [
    cases(models = ["dit_tiny"], dtypes = ["fp32", "fp64", "bf16", "fp16"], batches = [1, 8], large = [matching(dtype = ["fp16"])]),
    cases(models = ["dit_xl_2_256"], dtypes = ["fp32", "bf16"], batches = [1, 2, 8], large = [matching()]),
]
