"""VGG, with and without batch norm, by torchvision."""

from torchvision.models import vgg

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    layers = []
    for count, width in zip(parameters["convolutions"], [64, 128, 256, 512, 512], strict=True):
        layers += [width] * count + ["M"]
    return vgg.VGG(vgg.make_layers(layers, parameters["batch_norm"]), num_classes=parameters["num_classes"])
