"""RegNetX and RegNetY by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import torchvision
from torchvision.models import regnet


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def build(parameters):
    stages = len(parameters["widths"])
    blocks = regnet.BlockParams(
        depths=parameters["depths"],
        widths=parameters["widths"],
        group_widths=[min(parameters["group_width"], width) for width in parameters["widths"]],
        bottleneck_multipliers=[1.0] * stages,
        strides=[2] * stages,
        se_ratio=0.25 if parameters["squeeze_excitation"] else None,
    )
    return regnet.RegNet(blocks, num_classes=parameters["num_classes"])


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
