"""LLaVA by Hugging Face transformers, with its default ("sdpa") attention."""

import os
from unittest import mock

import transformers

from models import sinusoids_reference, text_reference
from models.text_reference import provenance  # noqa: F401

_OF_TEXT = (
    "vocab_size",
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "max_position_embeddings",
    "rms_norm_eps",
)


def build(parameters):
    image = transformers.CLIPVisionConfig(
        hidden_size=parameters["image_hidden"],
        intermediate_size=parameters["image_mlp"],
        num_attention_heads=parameters["image_heads"],
        num_hidden_layers=parameters["image_layers"],
        image_size=parameters["resolution"],
        patch_size=parameters["patch_size"],
    )
    rope = {"rope_type": "default", "rope_theta": parameters["rope_theta"]}
    text = transformers.LlamaConfig(**{name: parameters[name] for name in _OF_TEXT}, rope_parameters=rope)
    tokens = {name: parameters[name] for name in ("image_token_index", "image_seq_length")}
    with sinusoids_reference.rotary_frequencies():
        return transformers.LlavaForConditionalGeneration(transformers.LlavaConfig(vision_config=image, text_config=text, **tokens))


def forward(module, inputs):
    if not inputs["input_ids"].is_meta:
        return text_reference.forward_without_cache(module, inputs)
    # Tensors without values (goldens) have no number of image tokens that could be checked.
    with mock.patch.dict(os.environ, {"TRANSFORMERS_DISABLE_TORCH_CHECK": "1"}):
        return text_reference.forward_without_cache(module, inputs)
