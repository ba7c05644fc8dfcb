"""VGG as torchvision 0.26 builds it: pure data."""

load("//defs:variants.bzl", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "vgg",
    description = "VGG, stages of 3x3 convolutions and three linear layers.",
    parameters = [
        parameter("convolutions", "integers", maximum = 64, description = "3x3 convolutions in each of the five stages"),
        parameter("batch_norm", "flag", default = False, description = "whether a batch norm follows each convolution"),
    ],
    minimum_resolution = 32,
)

def _vgg(name, convolutions, **parameters):
    return classifier(name, IMPLEMENTATION, parameters = dict(parameters, convolutions = convolutions), smoke_parameters = {"resolution": 32, "convolutions": [1, 1, 1, 1, 1]})

MODELS = [
    _vgg("vgg11", [1, 1, 2, 2, 2]),
    _vgg("vgg11_bn", [1, 1, 2, 2, 2], batch_norm = True),
    _vgg("vgg13", [2, 2, 2, 2, 2]),
    _vgg("vgg13_bn", [2, 2, 2, 2, 2], batch_norm = True),
    _vgg("vgg16", [2, 2, 3, 3, 3]),
    _vgg("vgg16_bn", [2, 2, 3, 3, 3], batch_norm = True),
    _vgg("vgg19", [2, 2, 4, 4, 4]),
    _vgg("vgg19_bn", [2, 2, 4, 4, 4], batch_norm = True),
]
