"""RepVGG as timm 1.0.31 builds it: pure data."""

load("//defs:variants.bzl", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "repvgg",
    description = "RepVGG, blocks of three branches that training needs; --lowering=merged_branches makes one convolution of them for inference.",
    library = "timm",
    file = "byobnet",
    parameters = [
        parameter("stem", "integer", default = 64, maximum = 16384, description = "channels of the first block"),
        parameter("widths", "integers", maximum = 16384, description = "channels of each stage"),
        parameter("layers", "integers", maximum = 256, description = "blocks in each stage"),
        parameter("groups", "integer", default = 1, maximum = 256, description = "groups of every second block's convolutions; a divisor of the widths"),
    ],
)

_A = [2, 4, 14, 1]
_B = [4, 6, 16, 1]

def _repvgg(name, layers, widths, **parameters):
    return classifier(
        name,
        IMPLEMENTATION,
        parameters = dict(parameters, layers = layers, widths = widths),
        smoke_parameters = {"resolution": 32, "stem": 16, "widths": [16, 32], "layers": [2, 2]},
    )

MODELS = [
    _repvgg("repvgg_a2", _A, [96, 192, 384, 1408]),
    _repvgg("repvgg_a0", _A, [48, 96, 192, 1280], stem = 48),
    _repvgg("repvgg_a1", _A, [64, 128, 256, 1280]),
    _repvgg("repvgg_b0", _B, [64, 128, 256, 1280]),
    _repvgg("repvgg_b1", _B, [128, 256, 512, 2048]),
    _repvgg("repvgg_b1g4", _B, [128, 256, 512, 2048], groups = 4),
    _repvgg("repvgg_b2", _B, [160, 320, 640, 2560]),
    _repvgg("repvgg_b2g4", _B, [160, 320, 640, 2560], groups = 4),
    _repvgg("repvgg_b3", _B, [192, 384, 768, 2560]),
    _repvgg("repvgg_b3g4", _B, [192, 384, 768, 2560], groups = 4),
]
