"""The cases of the resnet family: OpenXLA's batch sizes for ResNet-50, in every dtype."""

load("//defs:cases.bzl", "adam", "adamw", "cases", "matching", "sgd", "training")
load("//defs:tolerances.bzl", "verify")

# A ReLU whose input lies within rounding of zero opens or closes, and each that does so changes the gradients of a whole
# layer; the square root of the forward error is what comes of it, and three steps carry it on. Float64 has no such ReLU:
# there the default's limits hold.
_FLIPS = "resnet18, b8, 224 and 64 pixels, three steps of each optimizer: "

_VERIFY = {
    "bf16": verify(rms_limit = 1.0, max_limit = 10.0, provenance = _FLIPS),
    "fp32": verify(rms_limit = 0.1, max_limit = 1.0, provenance = _FLIPS + "gradients rms 0.029, max 0.25 of std in the third"),
}

def _trained(**row):
    return cases(
        batches = [8],
        train = training(
            [
                sgd(learning_rate = 0.01, momentum = 0.9, nesterov = True, weight_decay = 1e-4),
                # An epsilon above the rounding of small gradients (benchmarks/mlp/cases.bzl).
                adam(learning_rate = 5e-5, epsilon = 1e-6),
                adamw(learning_rate = 5e-5, epsilon = 1e-6),
            ],
            loss = "cross_entropy",
        ),
        verify = _VERIFY,
        **row
    )

CASES = [
    cases(
        dtypes = ["fp32", "fp64", "bf16", "fp16"],
        batches = [1, 8, 64, 128, 256],
        large = [matching(dtype = ["fp64", "fp16"])],
    ),
    # Small images, so that the default tier has the strict comparison: in float64.
    _trained(models = ["resnet18"], dtypes = ["fp32", "fp64"], parameters = [{"resolution": 64}]),
    _trained(models = ["resnet18", "resnet50"], dtypes = ["fp32", "fp64"], large = [matching()]),
]
