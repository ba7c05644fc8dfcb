"""Gives a module of torch weights that show a tensor in the wrong place. Needs torch.

    model = filled(transformers.GPT2LMHeadModel(config))
"""

import torch


def filled(module):
    """The module itself, for evaluation, with its own random numbers and others where it begins with zeros or ones."""
    torch.manual_seed(7)
    for parameter in module.parameters():  # what is 0 or 1 at first would hide a wrong use
        parameter.data += 0.02 * torch.randn_like(parameter)
    for name, buffer in module.named_buffers():
        if name.endswith("running_mean"):
            buffer.normal_(0, 0.1)
        elif name.endswith("running_var"):
            buffer.uniform_(0.5, 1.5)
    return module.eval()
