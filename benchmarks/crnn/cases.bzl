"""The cases of the crnn family: docTR's lines of 32 x 128 pixels, and small ones for tests."""

load("//defs:cases.bzl", "cases", "matching", "nondeterministic")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:nondeterminism.bzl", "RECURRENT_LAYER")
load("//models/crnn:variants.bzl", "MODELS")

_RECURRENT = [nondeterministic(RECURRENT_LAYER)]

CASES = [
    cases(models = ["crnn_tiny"], dtypes = ["fp32", "fp64", "bf16", "fp16"], batches = [1, 8], large = left_out_by_default(MODELS), nondeterministic = _RECURRENT),
    cases(models = ["crnn_vgg16_bn"], dtypes = ["fp32"], batches = [1, 8, 64], large = [matching()], nondeterministic = _RECURRENT),
]
