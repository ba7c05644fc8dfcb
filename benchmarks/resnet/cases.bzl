"""The cases of the resnet family: OpenXLA's batch sizes for ResNet-50, TorchBench's for ResNet-18, in every dtype."""

load("//defs:cases.bzl", "adam", "adamw", "cases", "matching", "sgd", "training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING", "verify")

# A ReLU whose input lies within rounding of zero opens or closes; each that does so changes gradients by far more than
# rounding, and the steps after it. Float64 has none: there the default's limits hold.
_VERIFY = dict(
    AUTOCAST_TRAINING,
    fp32 = verify(
        rms_limit = 1e-2,
        max_limit = 1e-1,
        gradient_factor = 10,
        provenance = "resnet18 b8 at 224 and 64 pixels: gradients rms 2.9e-2, max 0.25 of std in the third step, all else rms 4e-4, max 2e-3",
    ),
)

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

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

CASES = [
    cases(
        dtypes = _DTYPES,
        batches = [1, 8, 64, 128, 256],
        large = [
            matching(dtype = ["fp64", "fp16"]),
            matching(model = ["resnext101_32x8d", "resnext101_64x4d", "wide_resnet101_2"]),
        ],
    ),
    cases(models = ["resnet18"], dtypes = _DTYPES, batches = [512], large = [matching(dtype = ["fp64", "fp16"])]),
    # Small images, so that the default tier has the strict comparison: in float64.
    _trained(models = ["resnet18"], dtypes = ["fp32", "fp64"], parameters = [{"resolution": 64}]),
    _trained(models = ["resnet18", "resnet50"], dtypes = ["fp32", "fp64"], large = [matching()]),
]
