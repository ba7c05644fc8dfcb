"""Longformer by Hugging Face transformers (LongformerForMaskedLM)."""

import torch
import transformers

from models.text_reference import bert_settings, loss_of_words as loss, provenance  # noqa: F401


def build(parameters):
    # Every other setting is LongformerConfig's default (exact GELU, tied words).
    config = transformers.LongformerConfig(**bert_settings(parameters, "attention_window"))
    module = transformers.LongformerForMaskedLM(config)
    module.global_tokens = parameters["global_tokens"]
    return module


def forward(module, inputs):
    if not module.global_tokens:
        return {"logits": module(**inputs).logits}
    mask = torch.zeros_like(inputs["input_ids"])
    mask[:, : module.global_tokens] = 1
    return {"logits": module(**inputs, global_attention_mask=mask).logits}
