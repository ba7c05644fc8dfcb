"""ConvBERT by Hugging Face transformers (ConvBertForMaskedLM)."""

import transformers

from models.text_reference import bert_settings, forward, loss, provenance  # noqa: F401


def build(parameters):
    # Every other setting is ConvBertConfig's default (exact GELU, tied words).
    settings = bert_settings(parameters, "embedding_size", "head_ratio", "conv_kernel_size", "num_groups")
    return transformers.ConvBertForMaskedLM(transformers.ConvBertConfig(**settings))
