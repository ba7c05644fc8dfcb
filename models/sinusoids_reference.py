"""The positions that M2M100, XGLM, GPT-J, Llama and "Attention is all you need" compute, the same on every machine.

transformers computes them in float32, where the last bit of an exponential, a sine or a cosine depends on the machine's
vector units. models/layers/sequence/sinusoids.h and rotary.h have the same numbers.
"""

import math
from unittest import mock

import torch


def fill(table, padding=None):
    """Writes the positions of M2M100 or XGLM into a table (rows, features) of float32; row `padding` holds zeros."""
    half = table.shape[1] // 2
    rate = torch.tensor(-(math.log(10000) / (half - 1)), dtype=torch.float32)
    _fill(table, (torch.arange(half).float() * rate).double().exp().float(), padding)


def fill_rotary(table):
    """Writes those of GPT-J."""
    features = table.shape[1]
    powers = torch.arange(0, features, 2).float() / features
    _fill(table, 1 / (10000.0 ** powers.double()).float())


def interleaved(rows, features):
    """The positions of "Attention is all you need", (1, rows, features): a sine followed by its cosine."""
    rate = torch.tensor(-(math.log(10000) / features), dtype=torch.float32)
    table = torch.empty(rows, features)
    _fill(table, (torch.arange(0, features, 2).float() * rate).double().exp().float())
    sines, cosines = table.chunk(2, 1)
    return torch.stack([sines, cosines], 2).flatten(1)[None]


def _fill(table, steps, padding=None):
    angles = (torch.arange(table.shape[0]).float().unsqueeze(1) * steps).double()
    values = torch.cat([angles.sin(), angles.cos()], 1).float()
    if padding is not None:
        values[padding] = 0
    table.copy_(values)


def _rounded_once(exponents, base):
    return torch.pow(base, exponents.double()).to(exponents.dtype)


def rotary_frequencies():
    """A context in which `base ** exponents` is computed in float64, as models/layers/sequence/rotary.cc has it and says why."""
    return mock.patch.object(torch.Tensor, "__rpow__", _rounded_once)
