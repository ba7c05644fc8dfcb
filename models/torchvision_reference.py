"""Code that the reference.py of torchvision's classifiers of images and videos share, beside build(parameters):

    from models.torchvision_reference import forward, provenance  # noqa: F401

tools/artifacts/generate/compute.py reads a reference.py, loads the seeded weights by name and computes in float64.
"""

import torch
import torchvision


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def forward(module, inputs):
    (given,) = inputs.values()
    return {"logits": module(given)}


def detection_rows(found, most):
    """Rows of models/detector.h of what a detector finds in each image, at most so many boxes."""
    return torch.stack([padded(torch.cat([d["labels"][:, None], d["scores"][:, None], d["boxes"]], 1), most, -1) for d in found])


def padded(rows, most, first=0):
    """`most` rows, those that are new with `first` before zeros."""
    all_rows = rows.new_zeros(most, *rows.shape[1:])
    all_rows[:, 0] = first
    all_rows[: len(rows)] = rows
    return all_rows
