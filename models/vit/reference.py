"""Vision transformers by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import torchvision
from torchvision.models import vision_transformer


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def build(parameters):
    return vision_transformer.VisionTransformer(
        image_size=parameters["resolution"],
        patch_size=parameters["patch_size"],
        num_layers=parameters["layers"],
        num_heads=parameters["heads"],
        hidden_dim=parameters["hidden"],
        mlp_dim=4 * parameters["hidden"],
        num_classes=parameters["num_classes"],
    )


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
