"""ResNet, ResNeXt and Wide ResNet by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import torchvision
from torchvision.models import resnet

_BLOCKS = {"basic": resnet.BasicBlock, "bottleneck": resnet.Bottleneck}


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def build(parameters):
    return resnet.ResNet(
        block=_BLOCKS[parameters["block"]],
        layers=parameters["layers"],
        num_classes=parameters["num_classes"],
        groups=parameters["groups"],
        width_per_group=parameters["width_per_group"],
    )


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
