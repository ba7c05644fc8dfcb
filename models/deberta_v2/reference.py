"""DeBERTa versions 2 and 3 by Hugging Face transformers: DebertaV2ForMaskedLM and DebertaV2ForQuestionAnswering."""

import transformers
from torch.nn import functional

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
# What the published checkpoints have in common, beside that there are no token types.
_RELATIVE = {"pos_att_type": ["p2c", "c2p"], "share_att_key": True, "norm_rel_ebd": "layer_norm", "position_biased_input": False}


def provenance():
    return "transformers %s" % transformers.__version__


def build(parameters):
    settings = {name: parameters[name] for name in _SETTINGS}
    if parameters["relative_attention"]:
        settings.update(_RELATIVE, position_buckets=parameters["position_buckets"])
    config = transformers.DebertaV2Config(conv_act="gelu", **settings)
    if parameters.get("head") == "qa_outputs":
        return transformers.DebertaV2ForQuestionAnswering(config)
    return transformers.DebertaV2ForMaskedLM(config)


def forward(module, inputs):
    outputs = module(**inputs)
    return {name: outputs[name] for name in ("start_logits", "end_logits", "logits") if name in outputs}


def loss(_module, outputs, targets):
    if "start_logits" in outputs:
        of_ends = [functional.cross_entropy(outputs[end + "_logits"], targets[end + "_positions"]) for end in ("start", "end")]
        return sum(of_ends) / 2
    return functional.cross_entropy(outputs["logits"].flatten(0, 1), targets["labels"].flatten())
