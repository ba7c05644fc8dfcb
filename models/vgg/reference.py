"""VGG, with and without batch norm, by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import torchvision
from torchvision.models import vgg


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def build(parameters):
    layers = []
    for count, width in zip(parameters["convolutions"], [64, 128, 256, 512, 512], strict=True):
        layers += [width] * count + ["M"]
    return vgg.VGG(vgg.make_layers(layers, parameters["batch_norm"]), num_classes=parameters["num_classes"])


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
