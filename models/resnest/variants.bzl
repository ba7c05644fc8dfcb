"""ResNeSt as timm 1.0.31 builds it: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "resnest",
    description = "ResNeSt, residual networks that weigh two versions of each channel against each other.",
    library = "timm",
    parameters = [
        parameter("layers", "integers", maximum = 256, description = "blocks in each of the four stages"),
        parameter("stem_channels", "integer", default = 32, maximum = 4096, description = "channels of the first two convolutions; the third has twice as many"),
    ],
)

def _resnest(name, layers, preset = image_preset(256), **parameters):
    return classifier(
        name,
        IMPLEMENTATION,
        parameters = dict(parameters, layers = layers),
        preset = preset,
        smoke_parameters = {"resolution": 32, "layers": [1, 2, 1, 1]},
    )

MODELS = [
    _resnest("resnest14d", [1, 1, 1, 1]),
    _resnest("resnest26d", [2, 2, 2, 2]),
    _resnest("resnest50d", [3, 4, 6, 3]),
    _resnest("resnest101e", [3, 4, 23, 3], image_preset(292, crop = 256), stem_channels = 64),
]
