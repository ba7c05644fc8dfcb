"""The cases of the mlp family."""

load("//defs:cases.bzl", "cases", "matching", "sgd", "training")

CASES = [
    cases(
        dtypes = ["fp32", "fp64", "bf16", "fp16"],
        batches = [1, 8, 64, 128, 256],
        large = [matching(dtype = ["fp64", "fp16"])],
    ),
    # The rate moves weights by 1 % of their size a step: a momentum off by 1 % then shows after three steps by 30 times
    # the limit, and the softmax does not saturate, where gradients would be rounding alone.
    cases(
        dtypes = ["fp32", "fp64"],
        batches = [8],
        large = [matching(dtype = ["fp64"])],
        train = training(optimizer = sgd(learning_rate = 0.05, momentum = 0.9)),
    ),
]
