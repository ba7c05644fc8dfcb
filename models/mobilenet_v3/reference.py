"""MobileNetV3 by torchvision."""

from torchvision.models import mobilenetv3

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    setting, last_channel = mobilenetv3._mobilenet_v3_conf("mobilenet_v3_" + parameters["size"])
    return mobilenetv3.MobileNetV3(setting, last_channel, num_classes=parameters["num_classes"])
