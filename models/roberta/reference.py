"""RoBERTa by Hugging Face transformers, with its default ("sdpa") attention: its classes with a head."""

import transformers

from models.text_reference import bert_settings, forward, loss, provenance  # noqa: F401


def build(parameters):
    # Every other setting is RobertaConfig's default (exact GELU, tied words).
    # CamembertConfig and CamembertForMaskedLM are the same under another name.
    config = transformers.RobertaConfig(**bert_settings(parameters, "pad_token_id"))
    if "is_decoder" not in parameters:
        return transformers.RobertaForQuestionAnswering(config)
    config.is_decoder = parameters["is_decoder"]
    return (transformers.RobertaForCausalLM if config.is_decoder else transformers.RobertaForMaskedLM)(config)
