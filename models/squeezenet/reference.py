"""SqueezeNet by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import torchvision
from torchvision.models import squeezenet


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def build(parameters):
    return squeezenet.SqueezeNet(parameters["version"], num_classes=parameters["num_classes"])


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
