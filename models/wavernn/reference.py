"""WaveRNN by torchaudio."""

import torchaudio
from torch.nn import functional

# Settings that torchaudio and our parameters name alike; `frames` is the input's.
_SETTINGS = (
    "upsample_scales",
    "n_classes",
    "hop_length",
    "n_res_block",
    "n_rnn",
    "n_fc",
    "kernel_size",
    "n_freq",
    "n_hidden",
    "n_output",
)


def provenance():
    return "torchaudio %s" % torchaudio.__version__.split("+")[0]


def build(parameters):
    return torchaudio.models.WaveRNN(**{name: parameters[name] for name in _SETTINGS})


def forward(module, inputs):
    return {"logits": module(inputs["waveform"], inputs["specgram"])}


def loss(_module, outputs, targets):
    return functional.cross_entropy(outputs["logits"].permute(0, 3, 1, 2), targets["values"])
