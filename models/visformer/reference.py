"""Visformer by timm."""

from timm.models.visformer import Visformer
from torch import nn

from models.timm_reference import forward, provenance  # noqa: F401


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
