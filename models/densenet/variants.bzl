"""DenseNet as torchvision 0.26 builds it: pure data."""

load("//defs:variants.bzl", "checkpoint_extras", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "densenet",
    description = "DenseNet-BC, layers that see what all before them made.",
    parameters = [
        parameter("layers", "integers", maximum = 256, description = "layers in each of the four blocks"),
        parameter("growth", "integer", default = 32, maximum = 1024, description = "channels that a layer adds"),
        parameter("stem_channels", "integer", default = 64, maximum = 4096, description = "channels of the first convolution"),
    ],
    minimum_resolution = 29,
    # Names in torchvision's older files. torchvision renames them, too (densenet.py, _load_state_dict).
    checkpoint_extras = checkpoint_extras(renamings = {
        ".conv.1.": ".conv1.",
        ".conv.2.": ".conv2.",
        ".norm.1.": ".norm1.",
        ".norm.2.": ".norm2.",
    }),
)

def _densenet(name, layers, **parameters):
    return classifier(name, IMPLEMENTATION, parameters = dict(parameters, layers = layers), smoke_parameters = {"resolution": 32, "layers": [1, 2, 1, 1]})

MODELS = [
    _densenet("densenet121", [6, 12, 24, 16]),
    _densenet("densenet161", [6, 12, 36, 24], growth = 48, stem_channels = 96),
    _densenet("densenet169", [6, 12, 32, 32]),
    _densenet("densenet201", [6, 12, 48, 32]),
]
