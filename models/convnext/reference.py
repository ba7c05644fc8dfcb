"""ConvNeXt by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import torchvision
from torchvision.models import convnext


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def build(parameters):
    channels = parameters["channels"]
    stages = [
        convnext.CNBlockConfig(width, following, layers)
        for width, following, layers in zip(channels, channels[1:] + [None], parameters["layers"], strict=True)
    ]
    return convnext.ConvNeXt(
        stages, stochastic_depth_prob=parameters["stochastic_depth"], num_classes=parameters["num_classes"]
    )


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
