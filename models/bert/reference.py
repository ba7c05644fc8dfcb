"""BERT by Hugging Face transformers, with its default ("sdpa") attention: the encoder with pooler, and masked words."""

import transformers
from torch.nn import functional

# What BertConfig and our parameters call alike; every other setting is BertConfig's default (exact GELU).
_SETTINGS = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
)


def provenance():
    return "transformers %s" % transformers.__version__


def build(parameters):
    settings = {name: parameters[name] for name in _SETTINGS}
    if "tie_word_embeddings" not in parameters:
        return transformers.BertModel(transformers.BertConfig(**settings))
    config = transformers.BertConfig(**settings, tie_word_embeddings=parameters["tie_word_embeddings"])
    return transformers.BertForMaskedLM(config)


def forward(module, inputs):
    outputs = module(**inputs)
    names = ("last_hidden_state", "pooler_output") if "pooler_output" in outputs else ("logits",)
    return {name: outputs[name] for name in names}


def loss(_module, outputs, targets):
    return functional.cross_entropy(outputs["logits"].flatten(0, 1), targets["labels"].flatten())
