"""RoBERTa by Hugging Face transformers, with its default ("sdpa") attention: its classes with a head."""

import transformers

from models.text_reference import forward, loss, provenance  # noqa: F401

# What RobertaConfig and our parameters call alike; every other setting is RobertaConfig's default (exact GELU, tied words).
# CamembertConfig and CamembertForMaskedLM are the same under another name.
_SETTINGS = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
    "pad_token_id",
)


def build(parameters):
    config = transformers.RobertaConfig(**{name: parameters[name] for name in _SETTINGS})
    if "is_decoder" not in parameters:
        return transformers.RobertaForQuestionAnswering(config)
    config.is_decoder = parameters["is_decoder"]
    return (transformers.RobertaForCausalLM if config.is_decoder else transformers.RobertaForMaskedLM)(config)
