"""VoVNet as timm 1.0.31 builds it: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "vovnet",
    description = "VoVNet, blocks whose last convolution sees what all others made.",
    library = "timm",
    parameters = [
        parameter("layers", "integers", maximum = 256, description = "blocks in each of the four stages"),
        parameter("convolutions", "integer", default = 5, maximum = 64, description = "3x3 convolutions of a block"),
        parameter("version_b", "flag", default = False, description = "whether blocks are added to their input, and the last of a stage scales its channels"),
    ],
    minimum_resolution = 29,
)

def _vovnet(name, layers, **parameters):
    return classifier(
        name,
        IMPLEMENTATION,
        parameters = dict(parameters, layers = layers, version_b = name.startswith("ese_")),
        preset = image_preset(256, interpolation = "bicubic"),
        smoke_parameters = {"resolution": 32, "convolutions": 2, "layers": [1, 1, 2, 1]},
    )

MODELS = [
    _vovnet("ese_vovnet19b", [1, 1, 1, 1], convolutions = 3),
    _vovnet("vovnet39a", [1, 1, 2, 2]),
    _vovnet("ese_vovnet39b", [1, 1, 2, 2]),
]
