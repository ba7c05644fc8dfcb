"""LayoutLM by Hugging Face transformers, with its default ("sdpa") attention: its classes with a head."""

import transformers

from models.text_reference import forward, loss, provenance  # noqa: F401

# What LayoutLMConfig and our parameters call alike; every other setting is LayoutLMConfig's default (exact GELU, tied words).
_SETTINGS = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "max_2d_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
)

# The pooler, which LayoutLMForMaskedLM has and does not read.
WITHOUT_GRADIENT = ("layoutlm.pooler.",)


def build(parameters):
    settings = {name: parameters[name] for name in _SETTINGS}
    if "num_labels" not in parameters:
        return transformers.LayoutLMForMaskedLM(transformers.LayoutLMConfig(**settings))
    config = transformers.LayoutLMConfig(num_labels=parameters["num_labels"], **settings)
    return transformers.LayoutLMForSequenceClassification(config)
