"""ELECTRA by Hugging Face transformers, with its default ("sdpa") attention: its classes with a head."""

import transformers

from models.text_reference import bert_settings, forward, loss, provenance  # noqa: F401


def build(parameters):
    # Every other setting is ElectraConfig's default (exact GELU, tied words).
    config = transformers.ElectraConfig(**bert_settings(parameters, "embedding_size"))
    if "is_decoder" not in parameters:
        return transformers.ElectraForQuestionAnswering(config)
    config.is_decoder = parameters["is_decoder"]
    return (transformers.ElectraForCausalLM if config.is_decoder else transformers.ElectraForMaskedLM)(config)
