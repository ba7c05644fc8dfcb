"""VGG as torchvision 0.26 builds it, without and with batch norm: pure data."""

load("//defs:variants.bzl", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

def _implementation(name, batch_norm):
    return image_classifier(
        name = name,
        description = "VGG, stages of 3x3 convolutions%s and three linear layers." % (" with batch norm" if batch_norm else ""),
        family = "vgg",
        parameters = [
            parameter("convolutions", "integers", maximum = 64, description = "3x3 convolutions in each of the five stages"),
            parameter("batch_norm", "flag", default = batch_norm, description = "whether a batch norm follows each convolution, as the name of the implementation says"),
        ],
        minimum_resolution = 32,
        keeps_statistics = batch_norm,
    )

IMPLEMENTATION = _implementation("vgg", False)
IMPLEMENTATION_BN = _implementation("vgg_bn", True)

def _vgg(name, implementation, convolutions):
    return classifier(
        name,
        implementation,
        parameters = {"convolutions": convolutions},
        smoke_parameters = {"resolution": 32, "convolutions": [1, 1, 1, 1, 1]},
    )

_CONVOLUTIONS = {
    "vgg11": [1, 1, 2, 2, 2],
    "vgg13": [2, 2, 2, 2, 2],
    "vgg16": [2, 2, 3, 3, 3],
    "vgg19": [2, 2, 4, 4, 4],
}

MODELS = [_vgg(name, IMPLEMENTATION, convolutions) for name, convolutions in _CONVOLUTIONS.items()]
MODELS_BN = [_vgg(name + "_bn", IMPLEMENTATION_BN, convolutions) for name, convolutions in _CONVOLUTIONS.items()]
