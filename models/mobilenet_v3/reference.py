"""MobileNetV3 by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import torchvision
from torchvision.models import mobilenetv3


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def build(parameters):
    setting, last_channel = mobilenetv3._mobilenet_v3_conf("mobilenet_v3_" + parameters["size"])
    return mobilenetv3.MobileNetV3(setting, last_channel, num_classes=parameters["num_classes"])


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
