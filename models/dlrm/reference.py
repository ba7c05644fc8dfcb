"""DLRM as torch.nn builds it, with the module names of facebookresearch/dlrm's DLRM_Net."""

import itertools

import torch
from torch import nn

_TABLES = 8


def provenance():
    return "torch.nn %s" % torch.__version__.split("+")[0]


def _mlp(widths, last):
    layers = []
    for inner, outer in itertools.pairwise(widths):
        layers += [nn.Linear(inner, outer), nn.ReLU()]
    return nn.Sequential(*layers[:-1], last)


class _Dlrm(nn.Module):
    def __init__(self, parameters):
        super().__init__()
        features = parameters["features"]
        self.emb_l = nn.ModuleList(nn.EmbeddingBag(parameters["rows"], features, mode="sum") for _ in range(_TABLES))
        self.bot_l = _mlp([parameters["dense_features"], *parameters["bottom"], features], nn.ReLU())
        pairs = (_TABLES + 1) * _TABLES // 2
        self.top_l = _mlp([features + pairs, *parameters["top"], 1], nn.Sigmoid())

    def forward(self, dense, offsets, indices):
        dense = self.bot_l(dense)
        sums = [table(i, o) for table, i, o in zip(self.emb_l, indices, offsets, strict=True)]
        vectors = torch.stack([dense, *sums], 1)
        products = vectors @ vectors.mT
        pairs = [products[:, i, j] for i in range(_TABLES + 1) for j in range(i)]
        return self.top_l(torch.cat([dense, torch.stack(pairs, 1)], 1))


def build(parameters):
    return _Dlrm(parameters)


def forward(module, inputs):
    of_each = lambda name: [inputs["%s.%d" % (name, table)] for table in range(_TABLES)]
    return {"probability": module(inputs["dense_x"], of_each("lS_o"), of_each("lS_i"))}


def loss(module, outputs, targets):
    del module
    return nn.functional.binary_cross_entropy(outputs["probability"], targets["clicked"])
