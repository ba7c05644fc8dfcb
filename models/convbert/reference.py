"""ConvBERT by Hugging Face transformers (ConvBertForMaskedLM)."""

import transformers

from models.text_reference import forward, loss, provenance  # noqa: F401

# What ConvBertConfig and our parameters call alike; every other setting is ConvBertConfig's default (exact GELU, tied words).
_SETTINGS = (
    "vocab_size",
    "embedding_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "head_ratio",
    "conv_kernel_size",
    "num_groups",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
)


def build(parameters):
    return transformers.ConvBertForMaskedLM(transformers.ConvBertConfig(**{name: parameters[name] for name in _SETTINGS}))
