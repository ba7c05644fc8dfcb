"""Both networks of the DCGAN example of pytorch/examples in torch.nn, written from its structure: there is no package of it.

They have as many parameters as the published ones: 3,576,704 and 2,765,568.
"""

import torch
from torch import nn


def _sequence(convolution, widths, strides, activation, last):
    """4x4 convolutions; a norm and the activation behind each but the last, no norm on the side of the image."""
    steps = []
    for i, stride in enumerate(strides):
        steps.append(convolution(widths[i], widths[i + 1], 4, stride, 1 if stride == 2 else 0, bias=False))
        if i + 1 < len(strides):
            steps += [nn.BatchNorm2d(widths[i + 1])] if widths[i] != 3 else []
            steps.append(activation)
    return nn.ModuleDict({"main": nn.Sequential(*steps, last)})


def provenance():
    return "torch.nn %s" % torch.__version__.split("+")[0]


def build(parameters):
    features = parameters["features"]
    widths = [3, features, 2 * features, 4 * features, 8 * features]
    if "latent_features" in parameters:
        widths = [parameters["latent_features"]] + widths[::-1]
        return _sequence(nn.ConvTranspose2d, widths, [1, 2, 2, 2, 2], nn.ReLU(), nn.Tanh())
    return _sequence(nn.Conv2d, widths + [1], [2, 2, 2, 2, 1], nn.LeakyReLU(0.2), nn.Sigmoid())


def forward(module, inputs):
    if "noise" in inputs:
        return {"image": module["main"](inputs["noise"])}
    return {"probability": module["main"](inputs["image"]).flatten()}
