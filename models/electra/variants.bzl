"""ELECTRA as transformers' classes with a head build it: pure data."""

load("//defs:variants.bzl", "parameter")
load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_model")

_PARAMETERS = [
    encoder.vocab_size(30522),
    parameter("embedding_size", "integer", description = "width of a word's vector; where it is not hidden_size, it is projected"),
] + encoder.widths + encoder.bert_tables + [encoder.sequence_length(128, minimum = 2)]

def _implementation(name, description, head, heads, parameters = [], config = {}):
    return transformers_model(
        name,
        description,
        family = "electra",
        parameters = _PARAMETERS + parameters,
        inputs = [text.ids, text.mask, text.segments],
        head = head,
        checkpoint_extras = encoder.extras("electra", heads),
        checkpoint_configs = [encoder.config(
            "electra",
            dict(config, embedding_size = 128),
            unread = encoder.summary,
            sizes = encoder.size(256, 12, 4, 1024),
        )],
    )

WORDS = _implementation(
    "electra_lm",
    "ELECTRA's generator, with a score for each word at each token, whose weight is the embedding's.",
    text.word_scores,
    ["discriminator_predictions"],
    [encoder.is_decoder],
    {"is_decoder": False},
)

QUESTION_ANSWERING = _implementation(
    "electra_question_answering",
    "ELECTRA with two scores at each token: that an answer begins there, and that it ends there.",
    text.answer_scores,
    ["discriminator_predictions", "generator_predictions", "generator_lm_head"],
)

_TINY = dict(encoder.tiny, embedding_size = 64, vocab_size = 1000)

# Google's electra-small, -base and -large, first as the generator, then as the discriminator.
_SMALL = encoder.size(256, 12, 4, 1024, embedding_size = 128)
_GENERATORS = {
    "electra_tiny": _TINY,
    "electra_small": _SMALL,
    "electra_base": dict(_SMALL, embedding_size = 768),
    "electra_large": dict(_SMALL, embedding_size = 1024, num_hidden_layers = 24),
}
_DISCRIMINATORS = {
    # Like the larger two it has no projection.
    "electra_tiny": dict(_TINY, embedding_size = 128),
    "electra_small": _SMALL,
    "electra_base": dict(encoder.base, embedding_size = 768),
    "electra_large": dict(encoder.large, embedding_size = 1024),
}

CAUSAL_LMS = sized_models(_GENERATORS, "_causal_lm", WORDS, is_decoder = True)

MASKED_LMS = sized_models(_GENERATORS, "_masked_lm", WORDS)

QUESTION_ANSWERERS = sized_models(_DISCRIMINATORS, "_qa", QUESTION_ANSWERING)

MODELS = CAUSAL_LMS + MASKED_LMS + QUESTION_ANSWERERS
