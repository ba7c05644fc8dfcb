"""BERT's encoder with pooler by Hugging Face transformers, with its default ("sdpa") attention."""

import transformers

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
    config = transformers.BertConfig(**{name: parameters[name] for name in _SETTINGS})
    return transformers.BertModel(config)


def forward(module, inputs):
    outputs = module(**inputs)
    return {name: outputs[name] for name in ("last_hidden_state", "pooler_output")}
