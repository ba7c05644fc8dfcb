"""RegNet as torchvision 0.26 builds it: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "regnet",
    description = "RegNet, stages of bottlenecks whose widths follow a line.",
    parameters = [
        parameter("depths", "integers", maximum = 256, description = "blocks in each stage"),
        parameter("widths", "integers", maximum = 16384, description = "channels of each stage"),
        parameter("group_width", "integer", maximum = 16384, description = "channels of a group of the 3x3 convolutions, where a stage is no narrower"),
        parameter("squeeze_excitation", "flag", description = "whether blocks have it: RegNetY"),
    ],
)

def _regnet(name, depths, widths, group_width, preset = image_preset(232)):
    return classifier(
        name,
        IMPLEMENTATION,
        parameters = {"depths": depths, "widths": widths, "group_width": group_width, "squeeze_excitation": "_y_" in name},
        preset = preset,
        smoke_parameters = {"resolution": 32, "depths": [1, 2], "widths": [32, 48], "group_width": 16},
    )

MODELS = [
    _regnet("regnet_y_400mf", [1, 3, 6, 6], [48, 104, 208, 440], 8),
    _regnet("regnet_y_800mf", [1, 3, 8, 2], [64, 144, 320, 784], 16),
    _regnet("regnet_y_1_6gf", [2, 6, 17, 2], [48, 120, 336, 888], 24),
    _regnet("regnet_y_3_2gf", [2, 5, 13, 1], [72, 216, 576, 1512], 24),
    _regnet("regnet_y_8gf", [2, 4, 10, 1], [224, 448, 896, 2016], 56),
    _regnet("regnet_y_12gf", [2, 5, 11, 1], [224, 448, 896, 2240], 112, preset = None),  # timm's regnety_120; torchvision has no weights
    _regnet("regnet_y_16gf", [2, 4, 11, 1], [224, 448, 1232, 3024], 112),
    _regnet("regnet_y_32gf", [2, 5, 12, 1], [232, 696, 1392, 3712], 232),
    _regnet("regnet_y_128gf", [2, 7, 17, 1], [528, 1056, 2904, 7392], 264, image_preset(384, crop = 384, interpolation = "bicubic")),
    _regnet("regnet_x_400mf", [1, 2, 7, 12], [32, 64, 160, 400], 16),
    _regnet("regnet_x_800mf", [1, 3, 7, 5], [64, 128, 288, 672], 16),
    _regnet("regnet_x_1_6gf", [2, 4, 10, 2], [72, 168, 408, 912], 24),
    _regnet("regnet_x_3_2gf", [2, 6, 15, 2], [96, 192, 432, 1008], 48),
    _regnet("regnet_x_8gf", [2, 5, 15, 1], [80, 240, 720, 1920], 120),
    _regnet("regnet_x_16gf", [2, 6, 13, 1], [256, 512, 896, 2048], 128),
    _regnet("regnet_x_32gf", [2, 7, 13, 1], [336, 672, 1344, 2520], 168),
]
