"""MNASNet by torchvision."""

import functools

from torch import nn
from torchvision.models import mnasnet

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    module = mnasnet.MNASNet(parameters["alpha"], num_classes=parameters["num_classes"])
    # Its own loading asks a state for its version, which one that is just tensors by name does not have.
    module._load_from_state_dict = functools.partial(nn.Module._load_from_state_dict, module)
    return module
