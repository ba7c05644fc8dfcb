"""BERT by Hugging Face transformers, with its default ("sdpa") attention: the encoder with pooler, and its classes with a head."""

import transformers

from models.text_reference import loss, provenance  # noqa: F401

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
_OF_A_HEAD = ("tie_word_embeddings", "num_labels")
_CLASSES = {
    None: transformers.BertModel,
    "qa_outputs": transformers.BertForQuestionAnswering,
    "classifier": transformers.BertForSequenceClassification,
}


def build(parameters):
    settings = {name: parameters[name] for name in (*_SETTINGS, *_OF_A_HEAD) if name in parameters}
    config = transformers.BertConfig(**settings)
    if "tie_word_embeddings" in parameters:
        return transformers.BertForMaskedLM(config)
    return _CLASSES[parameters.get("head")](config)


def forward(module, inputs):
    outputs = module(**inputs)
    names = ("last_hidden_state", "pooler_output", "start_logits", "end_logits", "logits")
    return {name: outputs[name] for name in names if name in outputs}
