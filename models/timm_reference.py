"""Code that the reference.py of timm's classifiers share: torchvision_reference.py, for timm."""

import timm


def provenance():
    return "timm %s" % timm.__version__


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
