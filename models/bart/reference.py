"""BART and its kin by Hugging Face transformers, with their default ("sdpa") attention."""

import torch
import transformers

from models import sinusoids_reference
from models.text_reference import forward_without_cache as forward, loss_of_words as loss, provenance  # noqa: F401

# Settings that the configurations name as our parameters do; every other setting is their default.
_SETTINGS = ("vocab_size", "d_model", "encoder_layers", "decoder_layers", "max_position_embeddings", "scale_embedding")
_NAMES = {
    "bart": "Bart",
    "mbart": "MBart",
    "plbart": "PLBart",
    "pegasus": "Pegasus",
    "blenderbot_small": "BlenderbotSmall",
    "blenderbot": "Blenderbot",
    "m2m100": "M2M100",
    "trocr": "TrOCR",
}


def build(parameters):
    settings = {name: parameters[name] for name in _SETTINGS}
    sides = ("encoder_", "decoder_")
    if parameters["architecture"] == "trocr":  # whose encoder is an image's
        del settings["encoder_layers"]
        sides = ("decoder_",)
    for side in sides:
        settings[side + "attention_heads"] = parameters["attention_heads"]
        settings[side + "ffn_dim"] = parameters["ffn_dim"]
        settings[side + "layerdrop"] = 0.0  # M2M100's default leaves out whole layers in training
    name = _NAMES[parameters["architecture"]]
    config = getattr(transformers, name + "Config")(**settings)
    head = "ForConditionalGeneration" if "decoder_length" in parameters else "ForCausalLM"
    module = getattr(transformers, name + head)(config)
    for part in module.modules():
        if type(part).__name__ == "PegasusSinusoidalPositionalEmbedding":
            _keep_as_buffer(part)
        elif type(part).__name__ == "M2M100SinusoidalPositionalEmbedding":
            sinusoids_reference.fill(part.weights, part.padding_idx)
    return module


def _keep_as_buffer(positions):
    """The table is a parameter that transformers never trains; here it is a buffer of the same name. Files hold it, so ours is drawn."""
    table = torch.zeros_like(positions.weight.detach())
    del positions.weight
    positions.register_buffer("weight", table)
