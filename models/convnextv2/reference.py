"""ConvNeXt V2 by timm.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import timm
from timm.models import convnext


def provenance():
    return "timm %s" % timm.__version__


def build(parameters):
    return convnext.ConvNeXt(
        dims=parameters["channels"],
        depths=parameters["layers"],
        use_grn=True,
        ls_init_value=None,
        conv_mlp=True,
        num_classes=parameters["num_classes"],
    )


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
