"""Demucs in torch.nn, with the module names of facebookresearch/demucs's first version, which TorchBench has and which is no package."""

import torch
from torch import nn


class _Blstm(nn.Module):
    def __init__(self, features, layers):
        super().__init__()
        self.lstm = nn.LSTM(features, features, layers, bidirectional=True)
        self.linear = nn.Linear(2 * features, features)

    def forward(self, x):
        steps, _ = self.lstm(x.permute(2, 0, 1))
        return self.linear(steps).permute(1, 2, 0)


def _trimmed(x, like):
    """The original's center_trim: of what is too much, the larger half goes behind."""
    extra = x.shape[-1] - like.shape[-1]
    return x[..., extra // 2 : x.shape[-1] - (extra - extra // 2)]


class _Demucs(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.sounds = p["sources"], p["audio_channels"]
        kernel, stride = p["kernel_size"], p["stride"]
        encoder, decoder = [], []
        outer = p["audio_channels"]
        for level in range(p["depth"]):
            inner = p["channels"] * 2**level
            encoder.append(
                nn.Sequential(nn.Conv1d(outer, inner, kernel, stride), nn.ReLU(), nn.Conv1d(inner, 2 * inner, 1), nn.GLU(dim=1))
            )
            lengthen = nn.ConvTranspose1d(inner, outer if level else p["sources"] * outer, kernel, stride)
            decoder.append(
                nn.Sequential(nn.Conv1d(inner, 2 * inner, p["context"]), nn.GLU(dim=1), lengthen, *([nn.ReLU()] if level else []))
            )
            outer = inner
        self.encoder = nn.ModuleList(encoder)
        self.decoder = nn.ModuleList(reversed(decoder))
        self.lstm = _Blstm(outer, p["lstm_layers"]) if p["lstm_layers"] else nn.Identity()

    def forward(self, x):
        saved = []
        for encode in self.encoder:
            x = encode(x)
            saved.append(x)
        x = self.lstm(x)
        for decode in self.decoder:
            x = decode(x + _trimmed(saved.pop(), x))
        return x.unflatten(1, self.sounds)


def provenance():
    return "torch.nn %s" % torch.__version__.split("+")[0]


def build(parameters):
    return _Demucs(parameters)


def forward(module, inputs):
    return {"estimates": module(inputs["mix"])}


def loss(_module, outputs, targets):
    return nn.functional.l1_loss(outputs["estimates"], _trimmed(targets["separate"], outputs["estimates"]))
