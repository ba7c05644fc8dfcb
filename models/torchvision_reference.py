"""Code that the reference.py of torchvision's classifiers of images and videos share, beside build(parameters):

    from models.torchvision_reference import forward, provenance  # noqa: F401

tools/artifacts/generate/compute.py reads a reference.py, loads the seeded weights by name and computes in float64.
"""

import torchvision


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def forward(module, inputs):
    (given,) = inputs.values()
    return {"logits": module(given)}
