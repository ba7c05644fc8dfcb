"""LayoutLM by Hugging Face transformers, with its default ("sdpa") attention: its classes with a head."""

import transformers

from models.text_reference import bert_settings, forward, loss, provenance  # noqa: F401

# The pooler, which LayoutLMForMaskedLM has and does not read.
WITHOUT_GRADIENT = ("layoutlm.pooler.",)


def build(parameters):
    # Every other setting is LayoutLMConfig's default (exact GELU, tied words).
    settings = bert_settings(parameters, "max_2d_position_embeddings")
    if "num_labels" not in parameters:
        return transformers.LayoutLMForMaskedLM(transformers.LayoutLMConfig(**settings))
    config = transformers.LayoutLMConfig(num_labels=parameters["num_labels"], **settings)
    return transformers.LayoutLMForSequenceClassification(config)
