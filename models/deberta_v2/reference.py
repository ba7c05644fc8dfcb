"""DeBERTa versions 2 and 3 by Hugging Face transformers: DebertaV2ForMaskedLM and DebertaV2ForQuestionAnswering."""

import transformers

from models.text_reference import forward, loss, provenance  # noqa: F401

# What DebertaV2Config and our parameters call alike; every other setting is DebertaV2Config's default (exact GELU, tied words).
_SETTINGS = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "conv_kernel_size",
    "relative_attention",
    "layer_norm_eps",
)
# Settings that the published checkpoints have in common, beside that there are no token types.
_RELATIVE = {"pos_att_type": ["p2c", "c2p"], "share_att_key": True, "norm_rel_ebd": "layer_norm", "position_biased_input": False}


def build(parameters):
    settings = {name: parameters[name] for name in _SETTINGS}
    if parameters["relative_attention"]:
        settings.update(_RELATIVE, position_buckets=parameters["position_buckets"])
    config = transformers.DebertaV2Config(conv_act="gelu", **settings)
    if parameters.get("head") == "qa_outputs":
        return transformers.DebertaV2ForQuestionAnswering(config)
    return transformers.DebertaV2ForMaskedLM(config)
