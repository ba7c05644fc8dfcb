"""MobileNetV2 by torchvision."""

from torchvision.models import mobilenetv2

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    return mobilenetv2.MobileNetV2(num_classes=parameters["num_classes"])
