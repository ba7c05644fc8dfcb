"""Longformer by Hugging Face transformers (LongformerForMaskedLM)."""

import torch
import transformers

from models.text_reference import loss_of_words as loss, provenance  # noqa: F401

# What LongformerConfig and our parameters call alike; every other setting is LongformerConfig's default (exact GELU, tied words).
_SETTINGS = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "attention_window",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
)


def build(parameters):
    config = transformers.LongformerConfig(**{name: parameters[name] for name in _SETTINGS})
    module = transformers.LongformerForMaskedLM(config)
    module.global_tokens = parameters["global_tokens"]
    return module


def forward(module, inputs):
    if not module.global_tokens:
        return {"logits": module(**inputs).logits}
    mask = torch.zeros_like(inputs["input_ids"])
    mask[:, : module.global_tokens] = 1
    return {"logits": module(**inputs, global_attention_mask=mask).logits}
