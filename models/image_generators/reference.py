"""The generators of CycleGAN and StarGAN in torch.nn, written from their structure: there is no package of them.

They have as many parameters as their repositories print: 11,378,179 and 8,430,528.
"""

import torch
from torch import nn

from models.image_to_image_reference import Block, forward, provenance, reflected, reflecting_blocks, relu  # noqa: F401


def _instance_norm(width):
    return nn.InstanceNorm2d(width, affine=True, track_running_stats=True)


class CycleGan(nn.Module):
    def __init__(self, channels, blocks):
        super().__init__()
        norm = nn.InstanceNorm2d
        pad, convolution = reflected(3, channels, 7)
        steps = [pad, *relu(convolution, norm)]
        for width in (channels, 2 * channels):
            steps += relu(nn.Conv2d(width, 2 * width, 3, 2, 1), norm)
        steps += reflecting_blocks(blocks, 4 * channels, norm)
        for width in (4 * channels, 2 * channels):
            steps += relu(nn.ConvTranspose2d(width, width // 2, 3, 2, 1, output_padding=1), norm)
        self.model = nn.Sequential(*steps, *reflected(channels, 3, 7), nn.Tanh())

    def forward(self, image):
        return {"made": self.model(image)}


class StarGan(nn.Module):
    def __init__(self, channels, blocks, labels):
        super().__init__()

        def convolution(width, out, kernel, kind=nn.Conv2d):
            return kind(width, out, kernel, 2 if kernel == 4 else 1, (kernel - 1) // 2, bias=False)

        steps = relu(convolution(3 + labels, channels, 7), _instance_norm)
        for width in (channels, 2 * channels):
            steps += relu(convolution(width, 2 * width, 4), _instance_norm)
        for _ in range(blocks):
            width = 4 * channels
            first, second = convolution(width, width, 3), convolution(width, width, 3)
            steps.append(Block("main", *relu(first, _instance_norm), second, _instance_norm(width)))
        for width in (4 * channels, 2 * channels):
            steps += relu(convolution(width, width // 2, 4, nn.ConvTranspose2d), _instance_norm)
        self.main = nn.Sequential(*steps, convolution(channels, 3, 7), nn.Tanh())

    def forward(self, image, labels):
        planes = labels[:, :, None, None].repeat(1, 1, *image.shape[2:])
        return {"made": self.main(torch.cat((image, planes), 1))}


def build(parameters):
    sizes = parameters["channels"], parameters["blocks"]
    return StarGan(*sizes, parameters["labels"]) if "labels" in parameters else CycleGan(*sizes)
