"""FNet by Hugging Face transformers (FNetForMaskedLM)."""

import transformers

from models.text_reference import forward, loss, provenance  # noqa: F401

# What FNetConfig and our parameters call alike; every other setting is FNetConfig's default (GELU by tanh, tied words).
_SETTINGS = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "intermediate_size",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
)
# transformers' class has a pooler, of which the scores know nothing.
WITHOUT_GRADIENT = ("fnet.pooler.",)


def build(parameters):
    return transformers.FNetForMaskedLM(transformers.FNetConfig(**{name: parameters[name] for name in _SETTINGS}))
