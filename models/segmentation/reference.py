"""FCN, DeepLabV3 and LR-ASPP by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import torchvision
from torchvision.models import segmentation


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def build(parameters):
    return segmentation.__dict__["%s_%s" % (parameters["head"], parameters["backbone"])](
        weights=None,
        weights_backbone=None,
        num_classes=parameters["num_classes"],
        aux_loss=parameters["aux_loss"],
    )


def forward(module, inputs):
    return module(inputs["image"])
