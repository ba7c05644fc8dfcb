"""The cases of the video_resnet family: small videos, those of the published weights, and training."""

load("//defs:cases.bzl", "cases")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:image_classifier_family.bzl", "image_training_cases", "small_training_cases")
load("//defs:text_cases.bzl", "DTYPES", "published_cases")
load("//models/video_resnet:variants.bzl", "MODELS")

_NAMES = [m.name for m in MODELS]

CASES = [
    cases(
        dtypes = DTYPES,
        batches = [1, 2],
        parameters = [{"frames": 4, "resolution": 32}],
        large = left_out_by_default(MODELS),
    ),
    published_cases(_NAMES, batches = [1, 8], parameters = [{"frames": 16, "resolution": 112}]),
    small_training_cases(["mc3_18"], resolution = 16, batch = 4, frames = 2),
    image_training_cases(["r3d_18"], batches = [2], parameters = [{"frames": 4, "resolution": 32}], dtypes = ["fp32"]),
]
