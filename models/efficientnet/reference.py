"""EfficientNet and EfficientNetV2 by torchvision."""

from timm.layers import Conv2dSame
from torch import nn
from torchvision.models import efficientnet

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    setting, last_channel = efficientnet._efficientnet_conf(
        "efficientnet_" + parameters["table"],
        width_mult=parameters["width_multiplier"],
        depth_mult=parameters["depth_multiplier"],
    )
    module = efficientnet.EfficientNet(
        setting,
        dropout=parameters["dropout"],
        last_channel=last_channel,
        num_classes=parameters["num_classes"],
        norm_layer=lambda channels: nn.BatchNorm2d(channels, parameters["norm_epsilon"], parameters["norm_momentum"]),
    )
    if parameters["pads_by_size"]:
        for convolution in module.modules():
            if isinstance(convolution, nn.Conv2d) and convolution.stride != (1, 1):
                convolution.__class__ = Conv2dSame  # pads before it convolves
    return module
