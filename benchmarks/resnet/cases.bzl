"""The cases of the resnet family: OpenXLA's batch sizes for ResNet-50, TorchBench's for ResNet-18, in every dtype."""

load("//defs:cases.bzl", "cases", "execution", "matching")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:image_classifier_cases.bzl", "STEEP", "image_training_cases")
load("//models/resnet:variants.bzl", "MODELS")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

CASES = [
    cases(
        dtypes = _DTYPES,
        batches = [1, 8, 64, 128, 256],
        large = left_out_by_default(MODELS, also = {"resnext50_32x4d": "convolutions in groups"}),
    ),
    cases(models = ["resnet18"], dtypes = _DTYPES, batches = [512], large = [matching()]),
    cases(models = ["resnet50"], dtypes = _DTYPES, batches = [2048], large = [matching()]),
    cases(models = ["resnet50"], dtypes = ["fp32", "bf16"], batches = [8], executions = [execution(memory_format = "channels_last")], large = [matching()]),
    # Small images, so that the default tier has the strict comparison: in float64.
    image_training_cases(["resnet18"], parameters = [{"resolution": 64}], large = []),
    image_training_cases(["resnet18"]),
    image_training_cases(["resnet50", "resnext50_32x4d"], learning_rates = STEEP),
]
