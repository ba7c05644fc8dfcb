"""The cases of the mlp family."""

load("//defs:cases.bzl", "cases", "matching", "sgd", "training")

CASES = [
    cases(
        dtypes = ["fp32", "fp64", "bf16", "fp16"],
        batches = [1, 8, 64, 128, 256],
        large = [matching(dtype = ["fp64", "fp16"])],
    ),
    cases(
        dtypes = ["fp32", "fp64"],
        batches = [8],
        large = [matching(dtype = ["fp64"])],
        # Large enough that the third step's parameters show a momentum that is 1 % off.
        train = training(optimizer = sgd(learning_rate = 0.5, momentum = 0.9)),
    ),
]
