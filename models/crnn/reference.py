"""docTR's crnn_vgg16_bn: torchvision's VGG, torch.nn.LSTM and a linear layer, with docTR's names. Its package needs OpenCV and more."""

import torch
import torchvision
from torch import nn
from torchvision.models import vgg


def provenance():
    return "torchvision %s, torch.nn %s" % (torchvision.__version__.split("+")[0], torch.__version__.split("+")[0])


class _Crnn(nn.Module):
    def __init__(self, p):
        super().__init__()
        layers = []
        for count, width in zip(p["convolutions"], p["widths"], strict=True):
            layers += [width] * count + ["M"]
        self.feat_extractor = vgg.make_layers(layers, batch_norm=True)
        poolings = [i for i, layer in enumerate(self.feat_extractor) if isinstance(layer, nn.MaxPool2d)]
        for i in poolings[-3:]:
            self.feat_extractor[i] = nn.MaxPool2d((2, 1))
        self.decoder = nn.LSTM(p["widths"][-1], p["rnn_units"], num_layers=2, batch_first=True, bidirectional=True)
        self.linear = nn.Linear(2 * p["rnn_units"], p["characters"] + 1)

    def forward(self, x):
        columns = torch.einsum("nchw->nwch", self.feat_extractor(x)).flatten(2)
        return self.linear(self.decoder(columns)[0])


def build(parameters):
    return _Crnn(parameters)


def forward(module, inputs):
    return {"logits": module(inputs["x"])}
