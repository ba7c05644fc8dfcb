"""SqueezeNet as torchvision 0.26 builds it: pure data."""

load("//defs:variants.bzl", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "squeezenet",
    description = "SqueezeNet, convolutions alone: AlexNet's accuracy with 50 times fewer parameters.",
    parameters = [
        parameter("version", "text", allowed = ["1_0", "1_1"], description = "of the authors' model"),
    ],
    minimum_resolution = 21,
    keeps_statistics = False,
)

def _squeezenet(version):
    return classifier("squeezenet" + version, IMPLEMENTATION, parameters = {"version": version}, smoke_parameters = {"resolution": 32})

MODELS = [_squeezenet("1_1"), _squeezenet("1_0")]
