"""Whisper by Hugging Face transformers, with its default ("sdpa") attention."""

import transformers

from models.text_reference import forward_without_cache, loss_of_words as loss, provenance  # noqa: F401

_SETTINGS = ("vocab_size", "num_mel_bins", "d_model", "max_source_positions", "max_target_positions", "classifier_proj_size", "num_labels")


def build(parameters):
    settings = {name: parameters[name] for name in _SETTINGS if name in parameters}
    for side in ("encoder_", "decoder_"):
        settings[side + "layers"] = parameters["layers"]
        settings[side + "attention_heads"] = parameters["attention_heads"]
        settings[side + "ffn_dim"] = parameters["ffn_dim"]
    # The default, whose row has no gradient, may lie beyond a small vocabulary.
    settings["pad_token_id"] = None
    config = transformers.WhisperConfig(**settings)
    if "num_labels" in parameters:
        module = transformers.WhisperForAudioClassification(config)
        encoder = module.encoder
    else:
        module = transformers.WhisperForConditionalGeneration(config)
        encoder = module.model.encoder
    # The encoder's table is a parameter that transformers never trains; here it is a buffer of the same name.
    positions = encoder.embed_positions
    table = positions.weight.detach()
    del positions.weight
    positions.register_buffer("weight", table)
    return module


def forward(module, inputs):
    if isinstance(module, transformers.WhisperForAudioClassification):
        return {"logits": module(**inputs).logits}
    return forward_without_cache(module, inputs)
