"""MobileNetV2 by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import torchvision
from torchvision.models import mobilenetv2


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def build(parameters):
    return mobilenetv2.MobileNetV2(num_classes=parameters["num_classes"])


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
