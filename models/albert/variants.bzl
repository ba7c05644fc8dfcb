"""ALBERT as transformers' classes with a head build it: pure data."""

load("//defs:variants.bzl", "parameter")
load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_model")

_PARAMETERS = [
    encoder.vocab_size(30000),
    parameter("embedding_size", "integer", default = 128, description = "width of a word's vector, which is projected to hidden_size"),
    parameter("hidden_size", "integer", description = "width of a token's vector"),
    parameter("num_hidden_layers", "integer", default = 12, maximum = 1024, description = "how often the layer is used"),
    parameter("num_attention_heads", "integer", maximum = 1024, description = "heads; divides hidden_size"),
    parameter("intermediate_size", "integer", description = "width of the feed-forward layer"),
] + encoder.bert_tables + [encoder.sequence_length(128)]

def _implementation(name, description, module, head, heads = []):
    return transformers_model(
        name,
        description,
        family = "albert",
        parameters = _PARAMETERS + [encoder.head_module(module, behind = "layers")],
        inputs = [text.ids, text.mask, text.segments],
        head = head,
        # Published files also have the pooler and the head that tells the order of two sentences.
        checkpoint_extras = encoder.extras("albert", ["albert.pooler", "sop_classifier"] + heads),
    )

MASKED_LM = _implementation(
    "albert_masked_lm",
    "ALBERT with a score for each word at each token, whose weight is the embedding's.",
    "predictions",
    text.word_scores,
)

QUESTION_ANSWERING = _implementation(
    "albert_question_answering",
    "ALBERT with two scores at each token: that an answer begins there, and that it ends there.",
    "qa_outputs",
    text.answer_scores,
    ["predictions"],
)

_SMALL = encoder.size(256, 2, 4, 1024, sequence_length = 8, vocab_size = 1000)

# Version 2 of albert-base, -large, -xlarge and -xxlarge.
_SIZES = {
    "albert_tiny": encoder.size(128, 3, 2, 512, embedding_size = 64, vocab_size = 1000),
    "albert_base": {"hidden_size": 768, "num_attention_heads": 12, "intermediate_size": 3072},
    "albert_large": encoder.large,
    "albert_xlarge": encoder.size(2048, 24, 16, 8192),
    "albert_xxlarge": {"hidden_size": 4096, "num_attention_heads": 64, "intermediate_size": 16384},
}

MODELS = sized_models(_SIZES, "_masked_lm", MASKED_LM, _SMALL) + sized_models(_SIZES, "_qa", QUESTION_ANSWERING, _SMALL)
