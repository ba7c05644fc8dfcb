"""torchaudio's Tacotron2, without the dropout of its prenet, which it does in evaluation as well, and for rows of one length."""

import types

import torch
import torchaudio
from torch.nn import functional
from torchaudio.models import tacotron2


def provenance():
    return "torchaudio %s" % torchaudio.__version__.split("+")[0]


class _Prenet(tacotron2._Prenet):
    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


def build(p):
    width = 2 * p["encoder_units"]
    module = tacotron2.Tacotron2(
        n_mels=p["mels"],
        n_symbol=p["symbols"],
        symbol_embedding_dim=width,
        encoder_embedding_dim=width,
        encoder_n_convolution=p["encoder_convolutions"],
        decoder_rnn_dim=p["decoder_rnn"],
        attention_rnn_dim=p["attention_rnn"],
        attention_hidden_dim=p["attention"],
        attention_location_n_filter=p["filters"],
        attention_location_kernel_size=p["filter_kernel"],
        prenet_dim=p["prenet"],
        postnet_n_convolution=p["postnet_convolutions"],
        postnet_embedding_dim=p["postnet"],
    )
    module.decoder.prenet.__class__ = _Prenet
    module.dropout = 1.0  # a factor on the probabilities in torchaudio's code, which a training step's reference sets to 0
    return module


def _functions(factor):
    """The functions that torchaudio's code calls as F."""
    dropout = lambda x, p, training: functional.dropout(x, p * factor, training)
    return types.SimpleNamespace(dropout=dropout, relu=functional.relu, softmax=functional.softmax)


def forward(module, inputs):
    tacotron2.F = _functions(module.dropout)
    tokens, mel = inputs["tokens"], inputs["mel_specgram"]
    lengths = torch.full((len(tokens),), tokens.shape[1], device="cpu")
    # No symbol is hidden: torchaudio's mask would be on the lengths' device.
    tacotron2._get_mask_from_lengths = lambda _: torch.zeros(tokens.shape, dtype=torch.bool, device=tokens.device)
    mel_lengths = torch.full((len(mel),), mel.shape[2], device="cpu")
    names = ("mel", "mel_postnet", "gates", "alignments")
    return dict(zip(names, module(tokens, lengths, mel, mel_lengths), strict=True))


def loss(module, outputs, targets):
    del module
    mels = sum(functional.mse_loss(outputs[name], targets["mel_target"]) for name in ("mel", "mel_postnet"))
    return mels + functional.binary_cross_entropy_with_logits(outputs["gates"], targets["gate_target"])
