"""BERT of Megatron-LM as transformers' classes with a head build it: pure data."""

load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_model")

_PARAMETERS = [encoder.vocab_size(29056)] + encoder.widths + encoder.bert_tables + [encoder.sequence_length(128, minimum = 2)]

def _implementation(name, description, head, heads, parameters = [], config = {}):
    return transformers_model(
        name,
        description,
        family = "megatron_bert",
        parameters = _PARAMETERS + parameters,
        inputs = [text.ids, text.mask, text.segments],
        head = head,
        checkpoint_extras = encoder.extras("bert", ["bert.pooler"] + heads),
        checkpoint_configs = [encoder.config("megatron-bert", config, sizes = dict(encoder.large, vocab_size = 29056))],
    )

WORDS = _implementation(
    "megatron_bert_lm",
    "Megatron-LM's BERT with a score for each word at each token, whose weight is the embedding's.",
    text.word_scores,
    ["cls.seq_relationship"],
    [encoder.is_decoder],
    {"is_decoder": False},
)

QUESTION_ANSWERING = _implementation(
    "megatron_bert_question_answering",
    "BERT of Megatron-LM with two scores at each token: that an answer begins there, and that it ends there.",
    text.answer_scores,
    ["cls"],
)

# Nvidia's megatron-bert-cased-345m, the default of transformers and TorchDynamo, and megatron-bert-uncased-345m.
_SIZES = {
    "megatron_bert_tiny": dict(encoder.tiny, vocab_size = 1000),
    "megatron_bert_cased_345m": encoder.large,
    "megatron_bert_uncased_345m": dict(encoder.large, vocab_size = 30592),
}

CAUSAL_LMS = sized_models(_SIZES, "_causal_lm", WORDS, is_decoder = True)

MASKED_LMS = sized_models(_SIZES, "_masked_lm", WORDS)

QUESTION_ANSWERERS = sized_models(_SIZES, "_qa", QUESTION_ANSWERING)

MODELS = CAUSAL_LMS + MASKED_LMS + QUESTION_ANSWERERS
