"""TorchBench's tts_angular in torch.nn, written from its structure: there is no package of it."""

import torch
from torch import nn
from torch.nn import functional

_LOSS_SCALE, _LOSS_OFFSET = 10.0, -5.0  # those with which TorchBench's criterion begins


class _Projected(nn.Module):
    def __init__(self, features, parameters):
        super().__init__()
        self.lstm = nn.LSTM(features, parameters["lstm_dim"], batch_first=True)
        self.linear = nn.Linear(parameters["lstm_dim"], parameters["proj_dim"], bias=False)

    def forward(self, x):
        hidden, _ = self.lstm(x)
        return self.linear(hidden)


class _Encoder(nn.Module):
    def __init__(self, parameters):
        super().__init__()
        widths = [parameters["input_dim"]] + [parameters["proj_dim"]] * (parameters["num_lstm_layers"] - 1)
        self.layers = nn.Sequential(*(_Projected(width, parameters) for width in widths))
        self.utterances = parameters["utterances"]

    def forward(self, x):
        return functional.normalize(self.layers(x)[:, -1], dim=1)


def provenance():
    return "torch.nn %s" % torch.__version__.split("+")[0]


def build(parameters):
    return _Encoder(parameters)


def forward(module, inputs):
    return {"embedding": module(inputs["mel"])}


def loss(module, outputs, targets):
    """The formula of the paper (arXiv 2003.11982, section 2.2), one pair of speakers after another."""
    del targets
    rows = outputs["embedding"]
    speakers = [rows[i : i + module.utterances] for i in range(0, len(rows), module.utterances)]
    queries, prototypes = [s[0] for s in speakers], [s[1:].mean(0) for s in speakers]
    losses = []
    for number, query in enumerate(queries):
        cosines = torch.stack([query @ p / (query.norm() * p.norm()) for p in prototypes])
        losses.append(-functional.log_softmax(_LOSS_SCALE * cosines + _LOSS_OFFSET, dim=0)[number])
    return torch.stack(losses).mean()
