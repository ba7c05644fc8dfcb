"""MLP-Mixers by timm.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import timm
from timm.models.mlp_mixer import MlpMixer


def provenance():
    return "timm %s" % timm.__version__


def build(parameters):
    return MlpMixer(
        img_size=parameters["resolution"],
        patch_size=parameters["patch_size"],
        num_blocks=parameters["layers"],
        embed_dim=parameters["hidden"],
        num_classes=parameters["num_classes"],
    )


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
