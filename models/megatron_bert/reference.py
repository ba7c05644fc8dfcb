"""BERT of Megatron-LM by Hugging Face transformers, whose attention is "eager": its classes with a head."""

import transformers

from models.text_reference import bert_settings, forward, loss, provenance  # noqa: F401


def build(parameters):
    # Every other setting is MegatronBertConfig's default (exact GELU, tied words).
    config = transformers.MegatronBertConfig(**bert_settings(parameters))
    if "is_decoder" not in parameters:
        return transformers.MegatronBertForQuestionAnswering(config)
    config.is_decoder = parameters["is_decoder"]
    return (transformers.MegatronBertForCausalLM if config.is_decoder else transformers.MegatronBertForMaskedLM)(config)
