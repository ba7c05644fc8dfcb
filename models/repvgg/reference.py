"""RepVGG by timm, as it trains and, reparameterized, as it is merged for inference.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import timm
from timm.models import byobnet
from timm.utils.model import reparameterize_model


def provenance():
    return "timm %s" % timm.__version__


def build(parameters):
    def group_size(channels, block):
        return channels // parameters["groups"] if parameters["groups"] > 1 and block % 2 == 1 else 0

    stages = zip(parameters["layers"], parameters["widths"], strict=True)
    blocks = tuple(byobnet.ByoBlockCfg(type="rep", d=layers, c=width, gs=group_size) for layers, width in stages)
    table = byobnet.ByoModelCfg(blocks=blocks, stem_type="rep", stem_chs=parameters["stem"])
    module = byobnet.ByobNet(table, num_classes=parameters["num_classes"])
    return reparameterize_model(module) if parameters["reparameterized"] else module


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
