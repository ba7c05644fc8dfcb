"""ConvNeXt as torchvision 0.26 builds it: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "convnext",
    description = "ConvNeXt, a convolutional network after the habits of transformers.",
    parameters = [
        parameter("channels", "integers", maximum = 16384, description = "channels of each of the four stages"),
        parameter("layers", "integers", maximum = 256, description = "blocks in each of the four stages"),
        parameter("stochastic_depth", "real", minimum = 0, maximum = 0.9, description = "probability of dropping the last block in training"),
    ],
    minimum_resolution = 32,
    keeps_statistics = False,
)

def _convnext(size, resize, channels, layers, stochastic_depth):
    return classifier(
        "convnext_" + size,
        IMPLEMENTATION,
        parameters = {"channels": channels, "layers": layers, "stochastic_depth": stochastic_depth},
        preset = image_preset(resize),
        smoke_parameters = {"resolution": 32, "channels": [16, 32, 48, 64], "layers": [1, 1, 2, 1]},
    )

MODELS = [
    _convnext("tiny", 236, [96, 192, 384, 768], [3, 3, 9, 3], 0.1),
    _convnext("small", 230, [96, 192, 384, 768], [3, 3, 27, 3], 0.4),
    _convnext("base", 232, [128, 256, 512, 1024], [3, 3, 27, 3], 0.5),
    _convnext("large", 232, [192, 384, 768, 1536], [3, 3, 27, 3], 0.5),
]
