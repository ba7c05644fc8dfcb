"""Parts of networks that make images of images, in torch.nn, which their reference.py share."""

import torch
from torch import nn


def relu(convolution, norm):
    return [convolution, norm(convolution.out_channels), nn.ReLU()]


def reflected(width, out, kernel):
    return [nn.ReflectionPad2d(kernel // 2), nn.Conv2d(width, out, kernel)]


class Block(nn.Module):
    def __init__(self, name, *steps):
        super().__init__()
        self.add_module(name, nn.Sequential(*steps))

    def forward(self, x):
        return x + next(self.children())(x)


def reflecting_blocks(count, width, norm):
    def half():
        pad, convolution = reflected(width, width, 3)
        return [pad, convolution, norm(width)]

    return [Block("conv_block", *half(), nn.ReLU(), *half()) for _ in range(count)]


def provenance():
    return "torch.nn %s" % torch.__version__.split("+")[0]


def forward(module, inputs):
    return module(**inputs)
