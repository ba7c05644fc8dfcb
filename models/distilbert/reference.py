"""DistilBERT by Hugging Face transformers, with its default ("sdpa") attention: its classes with a head."""

import transformers

from models.text_reference import forward, loss, provenance  # noqa: F401

# What DistilBertConfig and our parameters call alike; every other setting is its default (exact GELU, tied words).
_SETTINGS = ("vocab_size", "max_position_embeddings", "dim", "n_layers", "n_heads", "hidden_dim")
_CLASSES = {
    "masked_lm": transformers.DistilBertForMaskedLM,
    "qa_outputs": transformers.DistilBertForQuestionAnswering,
}


def build(parameters):
    config = transformers.DistilBertConfig(**{name: parameters[name] for name in _SETTINGS})
    return _CLASSES[parameters["head"]](config)
