"""RoBERTa and CamemBERT as transformers' classes with a head build them: pure data."""

load("//defs:variants.bzl", "config_key", "parameter", "zipf")
load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_model")

_PARAMETERS = [encoder.vocab_size(50265)] + encoder.widths + [
    encoder.max_position_embeddings(514, description = "longest sequence, tokens, and pad_token_id + 1"),
    encoder.type_vocab_size(1),
    encoder.layer_norm_eps(1e-5),
    parameter("pad_token_id", "integer", default = 1, minimum = 0, description = "the token that has no position; positions begin behind it"),
    encoder.sequence_length(128, minimum = 2),
]

# CamembertConfig and XLMRobertaConfig have RobertaConfig's defaults, apart from the words, which files name.
def _configs(more):
    of_all = {
        "max_position_embeddings": config_key(absent = 512, reaches = "sequence_length+pad_token_id+1"),
        "pad_token_id": config_key(absent = 1),
        "vocab_size": None,
    }
    return [encoder.config(name, dict(of_all, **more)) for name in ["roberta", "camembert", "xlm-roberta"]]

def _implementation(name, description, head, heads, parameters = [], config = {}):
    return transformers_model(
        name,
        description,
        family = "roberta",
        parameters = _PARAMETERS + parameters,
        # Frequent tokens are small numbers, as in their vocabularies, so that one in fifteen or so is padding.
        inputs = [text.tokens("input_ids", zipf("vocab_size", 1)), text.mask],
        head = head,
        # Published files also have the pooler.
        checkpoint_extras = encoder.extras("roberta", ["roberta.pooler"] + heads),
        checkpoint_configs = _configs(config),
    )

WORDS = _implementation(
    "roberta_lm",
    "RoBERTa with a score for each word at each token, whose weight is the embedding's.",
    text.word_scores,
    [],
    [encoder.is_decoder],
    {"is_decoder": False},
)

QUESTION_ANSWERING = _implementation(
    "roberta_question_answering",
    "RoBERTa with two scores at each token: that an answer begins there, and that it ends there.",
    text.answer_scores,
    ["lm_head"],
)

# FacebookAI's roberta-base and roberta-large.
_SIZES = {"roberta_tiny": dict(encoder.tiny, vocab_size = 1000), "roberta_base": encoder.base, "roberta_large": encoder.large}

# camembert-base and camembert-large.
_CAMEMBERT_SIZES = {
    "camembert_base": dict(encoder.base, vocab_size = 32005),
    "camembert_large": dict(encoder.large, vocab_size = 32005),
}

CAUSAL_LMS = sized_models(_SIZES, "_causal_lm", WORDS, is_decoder = True)

# xlm-roberta-base, which is TorchBench's hf_Roberta_base.
_XLM_SIZES = {"xlm_roberta_base": dict(encoder.base, vocab_size = 250002)}

MASKED_LMS = sized_models(dict(dict(_SIZES, **_CAMEMBERT_SIZES), **_XLM_SIZES), "_masked_lm", WORDS)

QUESTION_ANSWERERS = sized_models(_SIZES, "_qa", QUESTION_ANSWERING)

MODELS = CAUSAL_LMS + MASKED_LMS + QUESTION_ANSWERERS
