"""YOLOv3 in torch.nn as a list of layers numbered like Darknet's, written from the paper: there is no package of it.

Names, epsilon and momentum are those of ultralytics' PyTorch version of Darknet's networks. It has as many parameters as
the published one, 61,949,149, and YOLOv3-SPP 62,998,749.
"""

from collections import OrderedDict

import torch
from torch import nn

_STAGES = [(64, 1), (128, 2), (256, 8), (512, 8), (1024, 4)]  # channels and residual blocks
_HEADS = [(None, 512), (61, 256), (36, 128)]  # the layer taken from the backbone, and channels
_BOXES = 3


class _Sum(nn.Module):
    sources = (-3, -1)

    def forward(self, earlier, x):
        return earlier + x


class _Route(nn.Module):
    def __init__(self, *sources):
        super().__init__()
        self.sources = sources

    def forward(self, *given):
        return torch.cat(given, 1)


class _Detection(nn.Module):
    """A row for each box: x, y, width, height, objectness, classes; all but the sizes between 0 and 1."""

    def forward(self, x):
        rows = x.unflatten(1, (_BOXES, -1)).movedim(2, -1).flatten(1, 3)
        position, size, others = rows.split((2, 2, rows.shape[-1] - 4), -1)
        return torch.cat((position.sigmoid(), size, others.sigmoid()), -1)


def _convolution(width, out, kernel, stride=1):
    return nn.Sequential(
        OrderedDict(
            Conv2d=nn.Conv2d(width, out, kernel, stride, kernel // 2, bias=False),
            BatchNorm2d=nn.BatchNorm2d(out, eps=1e-4, momentum=0.03),
            activation=nn.LeakyReLU(0.1),
        )
    )


def _pyramid(width):
    for before, side in enumerate((5, 9, 13)):
        if before:
            yield _Route(-2 * before)
        yield nn.MaxPool2d(side, 1, side // 2)
    yield from (_Route(-1, -3, -5, -6), _convolution(4 * width, width, 1))


def _layers(classes, pools):
    yield _convolution(3, 32, 3)
    for width, blocks in _STAGES:
        yield _convolution(width // 2, width, 3, 2)
        for _ in range(blocks):
            yield from (_convolution(width, width // 2, 1), _convolution(width // 2, width, 3), _Sum())
    for skipped, width in _HEADS:
        given = 2 * width
        if skipped:
            yield from (_Route(-4), _convolution(2 * width, width, 1), nn.Upsample(scale_factor=2), _Route(-1, skipped))
            given += width
        for pair in range(3):
            yield _convolution(given, width, 1)
            if pools and not skipped and pair == 1:
                yield from _pyramid(width)
            yield _convolution(width, 2 * width, 3)
            given = 2 * width
        yield nn.Sequential(OrderedDict(Conv2d=nn.Conv2d(given, _BOXES * (5 + classes), 1)))
        yield _Detection()


class YoloV3(nn.Module):
    def __init__(self, classes, pools):
        super().__init__()
        self.module_list = nn.ModuleList(_layers(classes, pools))

    def forward(self, x):
        made, found = [], []
        for layer in self.module_list:
            given = [made[source] for source in layer.sources] if hasattr(layer, "sources") else made[-1:] or [x]
            made.append(layer(*given))
            if isinstance(layer, _Detection):
                found.append(made[-1])
        return torch.cat(found, 1)


def provenance():
    return "torch.nn %s" % torch.__version__.split("+")[0]


def build(parameters):
    return YoloV3(parameters["num_classes"], pools="height" in parameters)  # YOLOv3-SPP's images need not be square


def forward(module, inputs):
    return {"predictions": module(inputs["image"])}
