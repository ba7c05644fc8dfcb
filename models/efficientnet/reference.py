"""EfficientNet and EfficientNetV2 by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import torchvision
from torch import nn
from torchvision.models import efficientnet


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def build(parameters):
    setting, last_channel = efficientnet._efficientnet_conf(
        "efficientnet_" + parameters["table"],
        width_mult=parameters["width_multiplier"],
        depth_mult=parameters["depth_multiplier"],
    )
    return efficientnet.EfficientNet(
        setting,
        dropout=parameters["dropout"],
        last_channel=last_channel,
        num_classes=parameters["num_classes"],
        norm_layer=lambda channels: nn.BatchNorm2d(channels, parameters["norm_epsilon"], parameters["norm_momentum"]),
    )


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
