"""The ResNet and the DenseNet of the UvA deep learning course in torch.nn, written from their structure: there is no package.

They have as many parameters as those of TorchBench's phlippe_resnet and phlippe_densenet: 272,378 and 239,146.
"""

import torch
from torch import nn


def _convolution(width, out, kernel, stride=1, bias=False):
    return nn.Conv2d(width, out, kernel, stride, kernel // 2, bias=bias)


class _Residual(nn.Module):
    def __init__(self, width, out, stride):
        super().__init__()
        first, second = _convolution(width, out, 3, stride), _convolution(out, out, 3)
        self.net = nn.Sequential(first, nn.BatchNorm2d(out), nn.ReLU(), second, nn.BatchNorm2d(out))
        self.downsample = _convolution(width, out, 1, stride, bias=True) if stride > 1 else None

    def forward(self, x):
        return torch.relu(self.net(x) + (self.downsample(x) if self.downsample else x))


class _Dense(nn.Module):
    def __init__(self, width, growth):
        super().__init__()
        steps = [nn.BatchNorm2d(width), nn.ReLU(), _convolution(width, 2 * growth, 1)]
        steps += [nn.BatchNorm2d(2 * growth), nn.ReLU(), _convolution(2 * growth, growth, 3)]
        self.net = nn.Sequential(*steps)

    def forward(self, x):
        return torch.cat((self.net(x), x), 1)


def _network(stem, blocks, head):
    """Three parts, by their names in the course."""
    parts = {"input_net": stem, "blocks": blocks, "output_net": head}
    return nn.ModuleDict({name: nn.Sequential(*steps) for name, steps in parts.items()})


def _resnet(parameters):
    widths, blocks = parameters["channels"], []
    stem = [_convolution(3, widths[0], 3), nn.BatchNorm2d(widths[0]), nn.ReLU()]
    given = widths[0]
    for stage, (count, width) in enumerate(zip(parameters["layers"], widths)):
        for i in range(count):
            blocks.append(_Residual(given, width, 2 if stage and not i else 1))
            given = width
    return _network(stem, blocks, [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(given, parameters["num_classes"])])


def _densenet(parameters):
    growth = parameters["growth"]
    width, blocks = 2 * growth, []
    stem = [_convolution(3, width, 3, bias=True)]
    for stage, count in enumerate(parameters["layers"]):
        if stage:
            steps = [nn.BatchNorm2d(width), nn.ReLU(), _convolution(width, width // 2, 1), nn.AvgPool2d(2)]
            blocks.append(nn.ModuleDict({"transition": nn.Sequential(*steps)}))
            width //= 2
        layers = [_Dense(width + i * growth, growth) for i in range(count)]
        blocks.append(nn.ModuleDict({"block": nn.Sequential(*layers)}))
        width += count * growth
    head = [nn.BatchNorm2d(width), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    return _network(stem, blocks, head + [nn.Linear(width, parameters["num_classes"])])


def provenance():
    return "torch.nn %s" % torch.__version__.split("+")[0]


def build(parameters):
    return _densenet(parameters) if "growth" in parameters else _resnet(parameters)


def forward(module, inputs):
    x = module["input_net"](inputs["image"])
    for block in module["blocks"]:
        x = block(x) if isinstance(block, _Residual) else next(block.children())(x)
    return {"logits": module["output_net"](x)}
