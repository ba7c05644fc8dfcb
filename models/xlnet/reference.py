"""XLNet by Hugging Face transformers (XLNetLMHeadModel), without memory and second stream."""

import transformers

from models.text_reference import loss_of_words as loss, provenance  # noqa: F401

# What XLNetConfig and our parameters call alike; every other setting is XLNetConfig's default (exact GELU, tied words).
_SETTINGS = ("vocab_size", "d_model", "n_layer", "n_head", "d_inner", "layer_norm_eps")
# The second stream alone reads it.
WITHOUT_GRADIENT = ("transformer.mask_emb",)


def build(parameters):
    return transformers.XLNetLMHeadModel(transformers.XLNetConfig(**{name: parameters[name] for name in _SETTINGS}))


def forward(module, inputs):
    return {"logits": module(**inputs, use_mems=False).logits}
