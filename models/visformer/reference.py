"""Visformer by timm.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import timm
from timm.models.visformer import Visformer
from torch import nn


def provenance():
    return "timm %s" % timm.__version__


def build(parameters):
    return Visformer(
        img_size=parameters["resolution"],
        init_channels=parameters["stem_channels"],
        embed_dim=parameters["channels"],
        depth=tuple(parameters["layers"]),
        num_heads=parameters["heads"],
        num_classes=parameters["num_classes"],
        norm_layer=nn.BatchNorm2d,
        embed_norm=nn.BatchNorm2d,
        attn_stage="011",
        spatial_conv="100",
    )


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
