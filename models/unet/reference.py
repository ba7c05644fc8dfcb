"""The U-Net of milesial/Pytorch-UNet in torch.nn, written from its structure: there is no package of it.

Each norm follows a 3x3 convolution without a bias. It has as many parameters as the one published: 31,037,698 with
transposed convolutions, three channels and two classes.
"""

import torch
from torch import nn
from torch.nn import functional

_WIDTHS = [64, 128, 256, 512, 1024]


def _convolutions(*widths):
    steps = []
    for width, next_width in zip(widths, widths[1:]):
        steps += [nn.Conv2d(width, next_width, 3, padding=1, bias=False), nn.BatchNorm2d(next_width), nn.ReLU()]
    return nn.ModuleDict({"double_conv": nn.Sequential(*steps)})


class _Up(nn.Module):
    def __init__(self, width, out, bilinear):
        super().__init__()
        if bilinear:
            self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
        else:
            self.up = nn.ConvTranspose2d(width, width // 2, 2, stride=2)
        self.conv = _convolutions(width, width // 2 if bilinear else out, out)

    def forward(self, x, skipped):
        x = self.up(x)
        missing = [large - small for large, small in zip(skipped.shape, x.shape)]
        before, after = [m // 2 for m in missing], [m - m // 2 for m in missing]
        x = functional.pad(x, (before[3], after[3], before[2], after[2]))
        return self.conv["double_conv"](torch.cat((skipped, x), 1))


class UNet(nn.Module):
    def __init__(self, classes, bilinear):
        super().__init__()
        narrowed = 2 if bilinear else 1  # where nothing learned halves the channels
        self.inc = _convolutions(3, _WIDTHS[0], _WIDTHS[0])
        for i in range(1, 5):
            out = _WIDTHS[i] // (narrowed if i == 4 else 1)
            step = nn.ModuleList([nn.MaxPool2d(2), _convolutions(_WIDTHS[i - 1], out, out)])
            self.add_module("down%d" % i, nn.ModuleDict({"maxpool_conv": step}))
        for i in range(1, 5):
            out = _WIDTHS[4 - i] // (narrowed if i < 4 else 1)
            self.add_module("up%d" % i, _Up(_WIDTHS[5 - i], out, bilinear))
        self.outc = nn.ModuleDict({"conv": nn.Conv2d(_WIDTHS[0], classes, 1)})

    def forward(self, x):
        features = [self.inc["double_conv"](x)]
        for i in range(1, 5):
            halve, convolutions = self.get_submodule("down%d.maxpool_conv" % i)
            features.append(convolutions["double_conv"](halve(features[-1])))
        x = features.pop()
        for i in range(1, 5):
            x = self.get_submodule("up%d" % i)(x, features.pop())
        return self.outc["conv"](x)


def provenance():
    return "torch.nn %s" % torch.__version__.split("+")[0]


def build(parameters):
    return UNet(parameters["num_classes"], parameters["bilinear"])


def forward(module, inputs):
    return {"logits": module(inputs["image"])}
