"""Super SloMo in torch.nn, written from the structure of avinashpaliwal/Super-SloMo: there is no package of it.

It is the part of TorchBench's wrapper that makes the frame, without the losses and the VGG-16 that they need.
"""

import torch
from torch import nn
from torch.nn import functional


def _convolve(convolution, x):
    return functional.leaky_relu(convolution(x), 0.1)


class _Pair(nn.Module):
    """Two convolutions; the second sees `beside` channels more."""

    def __init__(self, width, out, kernel, beside=0):
        super().__init__()
        self.conv1 = nn.Conv2d(width, out, kernel, padding=kernel // 2)
        self.conv2 = nn.Conv2d(out + beside, out, kernel, padding=kernel // 2)

    def forward(self, x, *beside):
        return _convolve(self.conv2, torch.cat((_convolve(self.conv1, x), *beside), 1))


class _UNet(nn.Module):
    def __init__(self, width, out, channels):
        super().__init__()
        widths = [channels * 2**i for i in (0, 1, 2, 3, 4, 4)]
        self.conv1 = nn.Conv2d(width, channels, 7, padding=3)
        self.conv2 = nn.Conv2d(channels, channels, 7, padding=3)
        for i in range(1, 6):
            self.add_module("down%d" % i, _Pair(widths[i - 1], widths[i], 5 if i == 1 else 3))
        for i in range(1, 6):
            self.add_module("up%d" % i, _Pair(widths[6 - i], widths[5 - i], 3, beside=widths[5 - i]))
        self.conv3 = nn.Conv2d(channels, out, 3, padding=1)

    def forward(self, x):
        features = [_convolve(self.conv2, _convolve(self.conv1, x))]
        for i in range(1, 6):
            features.append(self.get_submodule("down%d" % i)(functional.avg_pool2d(features[-1], 2)))
        x = features.pop()
        for i in range(1, 6):
            x = functional.interpolate(x, scale_factor=2.0, mode="bilinear")
            x = self.get_submodule("up%d" % i)(x, features.pop())
        return _convolve(self.conv3, x)


def _warped(image, flow):
    height, width = image.shape[2:]
    x = torch.arange(width, dtype=flow.dtype, device=flow.device) + flow[:, 0]
    y = torch.arange(height, dtype=flow.dtype, device=flow.device)[:, None] + flow[:, 1]
    grid = torch.stack((2 * (x / width - 0.5), 2 * (y / height - 0.5)), 3)
    return functional.grid_sample(image, grid, align_corners=False)


class SuperSlomo(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.flowComp = _UNet(6, 4, channels)
        self.ArbTimeFlowIntrp = _UNet(20, 5, channels)

    def forward(self, before, after, number):
        t = ((number + 1).to(before.dtype) / 8)[:, None, None, None]
        there, back = self.flowComp(torch.cat((before, after), 1)).split(2, 1)
        to_before = -(1 - t) * t * there + t * t * back
        to_after = (1 - t) * (1 - t) * there - t * (1 - t) * back
        warped = _warped(after, to_after), _warped(before, to_before)
        given = torch.cat((before, after, there, back, to_after, to_before, *warped), 1)
        more_before, more_after, seen = self.ArbTimeFlowIntrp(given).split((2, 2, 1), 1)
        weights = (1 - t) * seen.sigmoid(), t * (1 - seen.sigmoid())
        frames = _warped(before, more_before + to_before), _warped(after, more_after + to_after)
        return (weights[0] * frames[0] + weights[1] * frames[1]) / (weights[0] + weights[1])


def provenance():
    return "torch.nn %s" % torch.__version__.split("+")[0]


def build(parameters):
    return SuperSlomo(parameters["channels"])


def forward(module, inputs):
    return {"frame": module(**inputs)}
