"""The cases of the mlp family."""

load("//defs:cases.bzl", "adam", "adamw", "cases", "execution", "matching", "sgd", "training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING", "verify")

CASES = [
    cases(
        dtypes = ["fp32", "fp64", "bf16", "fp16"],
        batches = [1, 8, 64, 128, 256],
        large = [matching(dtype = ["fp16"])],
    ),
    cases(
        dtypes = ["fp32"],
        batches = [1, 8, 64, 128, 256],
        executions = [execution(lowering = "int8_dynamic")],
        verify = {"int8_dynamic": verify(rms_limit = 5e-2, max_limit = 2e-1, provenance = "b1 and b64: rms 1.9e-2 of std, max 5.8e-2")},
        large = [matching(batch = [8, 128, 256])],
    ),
    cases(
        dtypes = ["fp32"],
        batches = [1, 64],
        executions = [execution(lowering = "int8_static")],
        verify = {"int8_static": verify(rms_limit = 7e-2, max_limit = 2e-1, provenance = "b1 rms 4.5e-2 of std, max 0.12; b64 2.7e-2, 8.4e-2")},
        large = [matching(batch = [1])],
    ),
    # The rate moves weights by 1 % of their size a step: a momentum off by 1 % then shows after three steps by 30 times
    # the limit, and the softmax does not saturate, where gradients would be rounding alone. Adam divides every gradient
    # by its own size, which makes whole steps of what is rounding alone; an epsilon above that size does not.
    cases(
        dtypes = ["fp32", "fp64"],
        batches = [8, 64],
        large = [matching(dtype = ["fp64"]), matching(batch = [64])],
        verify = AUTOCAST_TRAINING,
        run = training(
            [
                sgd(learning_rate = 0.05, momentum = 0.9),
                adam(learning_rate = 5e-4, epsilon = 1e-6),
                adamw(learning_rate = 5e-4, epsilon = 1e-6),
            ],
            loss = "own",
        ),
    ),
]
