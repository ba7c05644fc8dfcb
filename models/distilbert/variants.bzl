"""DistilBERT as transformers' classes with a head build it: pure data."""

load("//defs:variants.bzl", "config_key", "parameter")
load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_config", "transformers_model")

_PARAMETERS = [
    encoder.vocab_size(30522),
    encoder.max_position_embeddings(512),
    parameter("dim", "integer", default = 768, description = "width of a token's vector"),
    parameter("n_layers", "integer", default = 6, maximum = 1024, description = "layers"),
    parameter("n_heads", "integer", default = 12, maximum = 1024, description = "heads; divides dim"),
    parameter("hidden_dim", "integer", default = 3072, description = "width of the feed-forward layer"),
    encoder.sequence_length(128),
]

def _implementation(name, description, module, head, heads = []):
    return transformers_model(
        name,
        description,
        family = "distilbert",
        parameters = _PARAMETERS + [encoder.head_module(module, behind = "layers")],
        inputs = [text.ids, text.mask],
        head = head,
        checkpoint_extras = encoder.extras("distilbert", heads),
        checkpoint_configs = [transformers_config(
            "distilbert",
            {
                "dim": 768,
                "hidden_dim": 3072,
                "max_position_embeddings": config_key(absent = 512, reaches = "sequence_length"),
                "n_heads": 12,
                "n_layers": 6,
                "vocab_size": 30522,
            },
            only = {"activation": ["gelu"], "sinusoidal_pos_embds": [False], "tie_word_embeddings": [True]},
            constants = {"head": module},
            unread = ["attention_dropout", "dropout", "qa_dropout", "seq_classif_dropout", "tie_weights_"],
        )],
    )

MASKED_LM = _implementation(
    "distilbert_masked_lm",
    "DistilBERT with a score for each word at each token, whose weight is the embedding's.",
    "masked_lm",
    text.word_scores,
)

QUESTION_ANSWERING = _implementation(
    "distilbert_question_answering",
    "DistilBERT with two scores at each token: that an answer begins there, and that it ends there.",
    "qa_outputs",
    text.answer_scores,
    ["vocab_transform", "vocab_layer_norm", "vocab_projector"],
)

_SMALL = {"n_layers": 1, "sequence_length": 8, "vocab_size": 1000}

# distilbert-base-uncased and -cased, and their multilingual sister.
_SIZES = {
    "distilbert_tiny": {"dim": 128, "n_layers": 2, "n_heads": 2, "hidden_dim": 512, "vocab_size": 1000},
    "distilbert_base": {},
    "distilbert_base_cased": {"vocab_size": 28996},
    "distilbert_base_multilingual": {"vocab_size": 119547},
}

MASKED_LMS = sized_models(_SIZES, "_masked_lm", MASKED_LM, _SMALL)

QUESTION_ANSWERERS = sized_models(_SIZES, "_qa", QUESTION_ANSWERING, _SMALL)

MODELS = MASKED_LMS + QUESTION_ANSWERERS
