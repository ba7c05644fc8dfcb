"""ELECTRA by Hugging Face transformers, with its default ("sdpa") attention: its classes with a head."""

import transformers

from models.text_reference import forward, loss, provenance  # noqa: F401

# What ElectraConfig and our parameters call alike; every other setting is ElectraConfig's default (exact GELU, tied words).
_SETTINGS = (
    "vocab_size",
    "embedding_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
)


def build(parameters):
    config = transformers.ElectraConfig(**{name: parameters[name] for name in _SETTINGS})
    if "is_decoder" not in parameters:
        return transformers.ElectraForQuestionAnswering(config)
    config.is_decoder = parameters["is_decoder"]
    return (transformers.ElectraForCausalLM if config.is_decoder else transformers.ElectraForMaskedLM)(config)
