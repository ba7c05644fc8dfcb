"""The cases of the resnet family: OpenXLA's batch sizes for ResNet-50, in every dtype."""

load("//defs:cases.bzl", "adam", "adamw", "cases", "matching", "sgd", "training")

CASES = [
    cases(
        dtypes = ["fp32", "fp64", "bf16", "fp16"],
        batches = [1, 8, 64, 128, 256],
        large = [matching(dtype = ["fp64", "fp16"])],
    ),
    cases(
        models = ["resnet18", "resnet50"],
        dtypes = ["fp32", "fp64"],
        batches = [8],
        large = [matching(dtype = ["fp64"]), matching(model = ["resnet50"])],
        train = training(
            [
                sgd(learning_rate = 0.01, momentum = 0.9, nesterov = True, weight_decay = 1e-4),
                # An epsilon above the rounding of small gradients (benchmarks/mlp/cases.bzl).
                adam(learning_rate = 2e-4, epsilon = 1e-6),
                adamw(learning_rate = 2e-4, epsilon = 1e-6),
            ],
            loss = "cross_entropy",
        ),
    ),
]
