"""MaxViT by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import torchvision
from torchvision.models import maxvit


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def build(parameters):
    return maxvit.MaxVit(
        input_size=(parameters["resolution"], parameters["resolution"]),
        stem_channels=parameters["channels"][0],
        partition_size=7,
        block_channels=parameters["channels"],
        block_layers=parameters["layers"],
        head_dim=32,
        stochastic_depth_prob=0.2,
        num_classes=parameters["num_classes"],
    )


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
