"""MoCo as facebookresearch/moco builds it (moco/builder.py), with torchvision's ResNets, on one device."""

import torch
from torch import nn
from torch.nn import functional
from torchvision.models import resnet

from models.torchvision_reference import BLOCKS, provenance  # noqa: F401

_MOMENTUM, _TEMPERATURE = 0.999, 0.07


class _MoCo(nn.Module):
    def __init__(self, parameters):
        super().__init__()
        features, self.keys = parameters["features"], parameters["queue_size"]
        self.register_buffer("queue", torch.zeros(features, self.keys))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))
        encoder = lambda: resnet.ResNet(BLOCKS[parameters["block"]], parameters["layers"], num_classes=features)
        self.encoder_q, self.encoder_k = encoder(), encoder()
        for module in self.encoder_k.modules():
            _make_buffers(module)

    def forward(self, im_q, im_k):
        q = functional.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            if self.training:
                self._follow()
            k = functional.normalize(self.encoder_k(im_k), dim=1)
        positive = torch.einsum("nc,nc->n", q, k).unsqueeze(-1)
        negative = torch.einsum("nc,ck->nk", q, self.queue.clone().detach())
        if self.training:
            self._enqueue(k)
        return {"logits": torch.cat([positive, negative], dim=1) / _TEMPERATURE}

    def _follow(self):
        of_keys = dict(self.encoder_k.named_buffers())
        for name, of_query in self.encoder_q.named_parameters():
            of_keys[name].mul_(_MOMENTUM).add_(of_query * (1.0 - _MOMENTUM))

    def _enqueue(self, keys):
        first = int(self.queue_ptr)
        assert self.keys % len(keys) == 0
        self.queue[:, first : first + len(keys)] = keys.T
        self.queue_ptr[0] = (first + len(keys)) % self.keys


def _make_buffers(module):
    """Makes a module's parameters buffers, which no optimizer has: the original says requires_grad = False. Their order stays."""
    of_module = {name: torch.zeros_like(tensor) for name, tensor in module.named_parameters(recurse=False)}
    module._parameters = {name: None for name in module._parameters.keys() - of_module.keys()}
    module._buffers = {**of_module, **module._buffers}


def build(parameters):
    return _MoCo(parameters)


def forward(module, inputs):
    return module(**inputs)


def loss(module, outputs, targets):
    del module, targets
    logits = outputs["logits"]
    return functional.cross_entropy(logits, torch.zeros(len(logits), dtype=torch.long))
