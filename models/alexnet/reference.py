"""AlexNet by torchvision."""

import torchvision

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    return torchvision.models.AlexNet(num_classes=parameters["num_classes"])
