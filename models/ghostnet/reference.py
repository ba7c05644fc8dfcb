"""GhostNet by timm.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import timm
from timm.models import ghostnet


def provenance():
    return "timm %s" % timm.__version__


def build(parameters):
    return ghostnet._create_ghostnet(
        "ghostnet_100", width=parameters["width_multiplier"], num_classes=parameters["num_classes"]
    )


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
