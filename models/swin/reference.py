"""Swin and Swin v2 transformers by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import torchvision
from torchvision.models import swin_transformer


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def build(parameters):
    second = parameters["version"] == 2
    return swin_transformer.SwinTransformer(
        patch_size=[4, 4],
        embed_dim=parameters["channels"],
        depths=parameters["layers"],
        num_heads=[parameters["channels"] // 32 * 2**stage for stage in range(4)],
        window_size=[8, 8] if second else [7, 7],
        stochastic_depth_prob=parameters["stochastic_depth"],
        num_classes=parameters["num_classes"],
        block=swin_transformer.SwinTransformerBlockV2 if second else None,
        downsample_layer=swin_transformer.PatchMergingV2 if second else swin_transformer.PatchMerging,
    )


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
