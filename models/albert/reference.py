"""ALBERT by Hugging Face transformers, with its default ("sdpa") attention: its classes with a head."""

import transformers

from models.text_reference import forward, loss, provenance  # noqa: F401

# What AlbertConfig and our parameters call alike; every other setting is AlbertConfig's default (GELU by tanh, one group of
# layers, no dropout, tied words).
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
_CLASSES = {
    "predictions": transformers.AlbertForMaskedLM,
    "qa_outputs": transformers.AlbertForQuestionAnswering,
}


def build(parameters):
    config = transformers.AlbertConfig(**{name: parameters[name] for name in _SETTINGS})
    return _CLASSES[parameters["head"]](config)
