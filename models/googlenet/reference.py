"""GoogLeNet by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import torchvision


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def build(parameters):
    return torchvision.models.GoogLeNet(num_classes=parameters["num_classes"], init_weights=False)


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
