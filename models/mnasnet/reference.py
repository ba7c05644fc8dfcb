"""MNASNet by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import functools

import torchvision
from torch import nn
from torchvision.models import mnasnet


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def build(parameters):
    module = mnasnet.MNASNet(parameters["alpha"], num_classes=parameters["num_classes"])
    # Its own loading asks a state for its version, which one that is just tensors by name does not have.
    module._load_from_state_dict = functools.partial(nn.Module._load_from_state_dict, module)
    return module


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
