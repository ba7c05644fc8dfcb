"""ALBERT by Hugging Face transformers, with its default ("sdpa") attention: its classes with a head."""

import transformers

from models.text_reference import bert_settings, forward, loss, provenance  # noqa: F401

_CLASSES = {
    "predictions": transformers.AlbertForMaskedLM,
    "qa_outputs": transformers.AlbertForQuestionAnswering,
}


def build(parameters):
    # Every other setting is AlbertConfig's default (GELU by tanh, one group of layers, no dropout, tied words).
    config = transformers.AlbertConfig(**bert_settings(parameters, "embedding_size"))
    return _CLASSES[parameters["head"]](config)
