"""Phi by Hugging Face transformers, with its default ("sdpa") attention."""

import transformers

from models import sinusoids_reference
from models.text_reference import forward_without_cache as forward, loss_of_next_words as loss, provenance  # noqa: F401

_SETTINGS = (
    "vocab_size",
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "max_position_embeddings",
    "layer_norm_eps",
)


def build(parameters):
    settings = {name: parameters[name] for name in _SETTINGS}
    rope = {"rope_type": "default", **{name: parameters[name] for name in ("rope_theta", "partial_rotary_factor")}}
    with sinusoids_reference.rotary_frequencies():
        return transformers.PhiForCausalLM(transformers.PhiConfig(**settings, rope_parameters=rope))
