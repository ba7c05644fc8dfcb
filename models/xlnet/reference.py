"""XLNet by Hugging Face transformers (XLNetLMHeadModel), without memory and second stream."""

import transformers
from torch.nn import functional

# What XLNetConfig and our parameters call alike; every other setting is XLNetConfig's default (exact GELU, tied words).
_SETTINGS = ("vocab_size", "d_model", "n_layer", "n_head", "d_inner", "layer_norm_eps")
# The second stream alone reads it.
WITHOUT_GRADIENT = ("transformer.mask_emb",)


def provenance():
    return "transformers %s" % transformers.__version__


def build(parameters):
    return transformers.XLNetLMHeadModel(transformers.XLNetConfig(**{name: parameters[name] for name in _SETTINGS}))


def forward(module, inputs):
    return {"logits": module(**inputs, use_mems=False).logits}


def loss(_module, outputs, targets):
    return functional.cross_entropy(outputs["logits"].flatten(0, 1), targets["labels"].flatten())
