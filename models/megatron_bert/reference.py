"""BERT of Megatron-LM by Hugging Face transformers, whose attention is "eager": its classes with a head."""

import transformers

from models.text_reference import forward, loss, provenance  # noqa: F401

# What MegatronBertConfig and our parameters call alike; every other setting is MegatronBertConfig's default (exact GELU, tied words).
_SETTINGS = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
)


def build(parameters):
    config = transformers.MegatronBertConfig(**{name: parameters[name] for name in _SETTINGS})
    if "is_decoder" not in parameters:
        return transformers.MegatronBertForQuestionAnswering(config)
    config.is_decoder = parameters["is_decoder"]
    return (transformers.MegatronBertForCausalLM if config.is_decoder else transformers.MegatronBertForMaskedLM)(config)
