"""The positions that M2M100 and XGLM compute, the same on every machine.

transformers computes them in float32, where the last bit of an exponential, a sine or a cosine depends on the machine's
vector units. models/layers/sinusoids.h has the same numbers.
"""

import math

import torch


def fill(table, padding=None):
    """Writes a table (rows, features) of float32 or, on the meta device, none; row `padding` holds zeros."""
    rows, features = table.shape
    half = features // 2
    rate = torch.tensor(-(math.log(10000) / (half - 1)), dtype=torch.float32)
    steps = (torch.arange(half).float() * rate).double().exp().float()
    angles = (torch.arange(rows).float().unsqueeze(1) * steps).double()
    values = torch.cat([angles.sin(), angles.cos()], 1).float()
    if padding is not None:
        values[padding] = 0
    table.copy_(values)
