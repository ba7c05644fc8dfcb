"""ShuffleNetV2 as torchvision 0.26 builds it: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "shufflenet_v2",
    description = "ShuffleNetV2, split channels that are shuffled between blocks.",
    file = "shufflenetv2",
    parameters = [
        parameter("channels", "integers", maximum = 16384, description = "channels of the stem, of the three stages and of the last convolution"),
    ],
)

def _shufflenet_v2(name, channels, resize):
    return classifier(name, IMPLEMENTATION, parameters = {"channels": channels}, preset = image_preset(resize), smoke_parameters = {"resolution": 32})

MODELS = [
    _shufflenet_v2("shufflenet_v2_x0_5", [24, 48, 96, 192, 1024], 256),
    _shufflenet_v2("shufflenet_v2_x1_0", [24, 116, 232, 464, 1024], 256),
    _shufflenet_v2("shufflenet_v2_x1_5", [24, 176, 352, 704, 1024], 232),
    _shufflenet_v2("shufflenet_v2_x2_0", [24, 244, 488, 976, 2048], 232),
]
