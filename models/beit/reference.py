"""BEiT by timm.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import timm
from timm.models.beit import Beit


def provenance():
    return "timm %s" % timm.__version__


def build(parameters):
    return Beit(
        img_size=parameters["resolution"],
        patch_size=parameters["patch_size"],
        depth=parameters["layers"],
        num_heads=parameters["heads"],
        embed_dim=parameters["hidden"],
        num_classes=parameters["num_classes"],
        use_abs_pos_emb=False,
        use_rel_pos_bias=True,
        init_values=0.1,  # that branches are scaled; the seeded weights overwrite it
    )


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
