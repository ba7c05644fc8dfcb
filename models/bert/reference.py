"""BERT by Hugging Face transformers, with its default ("sdpa") attention: the encoder with pooler, and its classes with a head."""

import transformers

from models.text_reference import bert_settings, loss, provenance  # noqa: F401

_OF_A_HEAD = ("tie_word_embeddings", "num_labels")
_CLASSES = {
    None: transformers.BertModel,
    "qa_outputs": transformers.BertForQuestionAnswering,
    "classifier": transformers.BertForSequenceClassification,
}


def build(parameters):
    # Every other setting is BertConfig's default (exact GELU).
    settings = bert_settings(parameters, *(name for name in _OF_A_HEAD if name in parameters))
    config = transformers.BertConfig(**settings)
    if "tie_word_embeddings" in parameters:
        return transformers.BertForMaskedLM(config)
    return _CLASSES[parameters.get("head")](config)


def forward(module, inputs):
    outputs = module(**inputs)
    names = ("last_hidden_state", "pooler_output", "start_logits", "end_logits", "logits")
    return {name: outputs[name] for name in names if name in outputs}
