"""Conformer by torchaudio."""

import torchaudio

_SETTINGS = ("input_dim", "num_heads", "ffn_dim", "num_layers", "depthwise_conv_kernel_size", "dropout", "use_group_norm", "convolution_first")


def provenance():
    return "torchaudio %s" % torchaudio.__version__.split("+")[0]


def build(parameters):
    return torchaudio.models.Conformer(**{name: parameters[name] for name in _SETTINGS})


def forward(module, inputs):
    # Its own forward makes the mask out of lengths, of which one must be that of the whole row.
    x = inputs["input"].transpose(0, 1)
    for layer in module.conformer_layers:
        x = layer(x, inputs["attention_mask"] == 0)
    return {"encoded": x.transpose(0, 1)}
