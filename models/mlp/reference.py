"""The MLP as Python's torch.nn builds it: another implementation than mlp.cc, though over the same ATen operators."""

import torch
from torch import nn


def provenance():
    return "torch.nn %s" % torch.__version__.split("+")[0]


def build(parameters):
    inner, hidden, outer = (parameters[name] for name in ("in_features", "hidden_features", "out_features"))
    return nn.Sequential(
        nn.Linear(inner, hidden),
        nn.ReLU(),
        nn.Linear(hidden, hidden),
        nn.ReLU(),
        nn.Linear(hidden, outer),
        nn.Softmax(dim=-1),
    )


def forward(module, inputs):
    return {"probabilities": module(inputs["input"])}


def loss(module, outputs, targets):
    del module
    return nn.functional.nll_loss(outputs["probabilities"].log(), targets["labels"])
