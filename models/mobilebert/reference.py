"""MobileBERT by Hugging Face transformers, with its default ("sdpa") attention."""

import transformers

from models.text_reference import forward, loss, provenance  # noqa: F401

# What MobileBertConfig and our parameters call alike; every other setting is MobileBertConfig's default (words by three,
# bottlenecks, of which query and key share one, and no norms).
_SETTINGS = (
    "vocab_size",
    "embedding_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "intra_bottleneck_size",
    "num_feedforward_networks",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
)


def build(parameters):
    config = transformers.MobileBertConfig(**{name: parameters[name] for name in _SETTINGS})
    if parameters.get("head") == "qa_outputs":
        return transformers.MobileBertForQuestionAnswering(config)
    return transformers.MobileBertForMaskedLM(config)
