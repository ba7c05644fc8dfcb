"""MobileViT as timm 1.0.31 builds it, each at the size of its published weights: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "mobilevit",
    description = "MobileViT, inverted residuals and small transformers over the patches of the image.",
    library = "timm",
    parameters = [
        parameter("channels", "integers", maximum = 16384, description = "channels of each of the five stages"),
        parameter("features", "integers", maximum = 16384, description = "width of a token in each of the last three stages"),
        parameter("expansion", "integer", default = 4, minimum = 2, maximum = 256, description = "hidden channels of an inverted residual, in its input's"),
        parameter("last", "integer", maximum = 16384, description = "channels in front of the classifier"),
    ],
)

def _mobilevit(size, channels, features, last, **parameters):
    return classifier(
        "mobilevit_" + size,
        IMPLEMENTATION,
        parameters = dict(parameters, resolution = 256, channels = channels, features = features, last = last),
        preset = image_preset(284, crop = 256, interpolation = "bicubic", mean = [0] * 3, std = [1] * 3),
        smoke_parameters = {"resolution": 32, "channels": [8, 8, 16, 16, 24], "features": [16, 24, 32], "last": 32},
    )

MODELS = [
    _mobilevit("s", [32, 64, 96, 128, 160], [144, 192, 240], 640),
    _mobilevit("xs", [32, 48, 64, 80, 96], [96, 120, 144], 384),
    _mobilevit("xxs", [16, 24, 48, 64, 80], [64, 80, 96], 320, expansion = 2),
]
