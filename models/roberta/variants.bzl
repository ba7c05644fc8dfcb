"""RoBERTa and CamemBERT as transformers' classes with a head build them: pure data."""

load("//defs:text_heads.bzl", "ANSWER_POSITIONS", "ANSWER_SCORES", "WORD_LABELS", "WORD_SCORES", "tokens")
load("//defs:variants.bzl", "checkpoint_extras", "model", "model_implementation", "parameter", "prefix_mask", "zipf")

_PARAMETERS = [
    parameter("vocab_size", "integer", default = 50265, description = "tokens"),
    parameter("hidden_size", "integer", description = "width of a token's vector"),
    parameter("num_hidden_layers", "integer", maximum = 1024, description = "encoder layers"),
    parameter("num_attention_heads", "integer", maximum = 1024, description = "heads; divides hidden_size"),
    parameter("intermediate_size", "integer", description = "width of the feed-forward layer"),
    parameter("max_position_embeddings", "integer", default = 514, description = "longest sequence, tokens, and pad_token_id + 1"),
    parameter("type_vocab_size", "integer", default = 1, description = "token types, of which the first is used"),
    parameter("layer_norm_eps", "real", default = 1e-5, minimum = 0.0, description = "added to the variance"),
    parameter("pad_token_id", "integer", default = 1, minimum = 0, description = "the token that has no position; positions begin behind it"),
    parameter("sequence_length", "integer", default = 128, minimum = 2, maximum = 512, suffix = "s", description = "tokens of each row"),
]

def _implementation(name, description, outputs, targets, extras, parameters = []):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/roberta/modeling_roberta.py",
        reference = "INDEPENDENT",
        reference_script = "models/roberta/reference.py",
        parameters = _PARAMETERS + parameters,
        # Frequent tokens are small numbers, as in their vocabularies, so that one in fifteen or so is padding.
        inputs = [tokens("input_ids", zipf("vocab_size", 1)), tokens("attention_mask", prefix_mask())],
        outputs = outputs,
        checkpoint_extras = extras,
        trainable = True,
        targets = targets,
        unit = "token",
        units_per_call = "batch*sequence_length",
    )

# transformers stored the buffer until 4.31. Published files also have the pooler.
_BUFFERS = ["roberta.embeddings.position_ids"]

WORDS = _implementation(
    name = "roberta_lm",
    description = "RoBERTa with a score for each word at each token, whose weight is the embedding's.",
    parameters = [parameter("is_decoder", "flag", default = False, description = "whether a token sees none behind it, and its scores are of the next word")],
    outputs = WORD_SCORES,
    targets = WORD_LABELS,
    extras = checkpoint_extras(
        buffers = _BUFFERS,
        heads = ["roberta.pooler"],
    ),
)

QUESTION_ANSWERING = _implementation(
    name = "roberta_question_answering",
    description = "RoBERTa with two scores at each token: that an answer begins there, and that it ends there.",
    outputs = ANSWER_SCORES,
    targets = ANSWER_POSITIONS,
    extras = checkpoint_extras(
        buffers = _BUFFERS,
        heads = ["roberta.pooler", "lm_head"],
    ),
)

_SMALL = {"num_hidden_layers": 1, "sequence_length": 8, "vocab_size": 1000}

_TINY = {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 512, "vocab_size": 1000}
_BASE = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072}
_LARGE = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}

# FacebookAI's roberta-base and roberta-large.
_SIZES = {"roberta_tiny": _TINY, "roberta_base": _BASE, "roberta_large": _LARGE}

# camembert-base and camembert-large.
_CAMEMBERT_SIZES = {
    "camembert_base": dict(_BASE, vocab_size = 32005),
    "camembert_large": dict(_LARGE, vocab_size = 32005),
}

def _models(suffix, implementation, sizes, **more):
    return [
        model(name + suffix, implementation, parameters = dict(size, **more), smoke_parameters = _SMALL)
        for name, size in sizes.items()
    ]

CAUSAL_LMS = _models("_causal_lm", WORDS, _SIZES, is_decoder = True)

MASKED_LMS = _models("_masked_lm", WORDS, _SIZES) + _models("_masked_lm", WORDS, _CAMEMBERT_SIZES)

QUESTION_ANSWERERS = _models("_qa", QUESTION_ANSWERING, _SIZES)

MODELS = CAUSAL_LMS + MASKED_LMS + QUESTION_ANSWERERS
