"""Hybrid Demucs by torchaudio."""

import torchaudio
from torch.nn import functional

_SETTINGS = ("audio_channels", "channels", "nfft", "depth")


def provenance():
    return "torchaudio %s" % torchaudio.__version__.split("+")[0]


def _make_buffers(norm):
    """Makes the parameters of a norm that is never called buffers: they have no gradient, and no optimizer has them."""
    for name, tensor in list(norm.named_parameters()):
        delattr(norm, name)
        norm.register_buffer(name, tensor.detach())


def build(parameters):
    # Only the number of their names is read.
    sources = ["source %d" % i for i in range(parameters["sources"])]
    model = torchaudio.models.HDemucs(sources, **{name: parameters[name] for name in _SETTINGS})
    for encoder in model.time_encoder:
        if encoder.empty:
            _make_buffers(encoder.norm1)
    return model


def forward(module, inputs):
    return {"estimates": module(inputs["mix"])}


def loss(_module, outputs, targets):
    return functional.l1_loss(outputs["estimates"], targets["separate"])
