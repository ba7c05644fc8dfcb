"""ResNet, ResNeXt and Wide ResNet by torchvision."""

import torch
from torchvision.models import resnet

from models.torchvision_reference import BLOCKS, forward, provenance  # noqa: F401


def build(parameters):
    return resnet.ResNet(
        block=BLOCKS[parameters["block"]],
        layers=parameters["layers"],
        num_classes=parameters["num_classes"],
        groups=parameters["groups"],
        width_per_group=parameters["width_per_group"],
        norm_layer=(lambda channels: torch.nn.GroupNorm(parameters["norm_groups"], channels)) if "norm_groups" in parameters else None,
    )
