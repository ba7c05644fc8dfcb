"""OpenAI's GPT-2, a decoder of tokens: pure data."""

load("//defs:variants.bzl", "checkpoint_extras", "config_key", "model", "parameter")
load("//models:transformers_model.bzl", "decoder", "encoder", "sized_models", "text", "transformers_config", "transformers_model")

_PARAMETERS = [
    decoder.vocab_size(50257),
    parameter("n_positions", "integer", default = 1024, description = "rows of the position embedding: tokens at most"),
    parameter("n_embd", "integer", default = 768, description = "features of a token"),
    parameter("n_layer", "integer", default = 12, description = "blocks"),
    parameter("n_head", "integer", default = 12, description = "attention heads; they divide n_embd"),
    decoder.layer_norm_epsilon(1e-5),
    decoder.sequence_length(maximum = 1024),
]

# GPT2Config's defaults.
_CONFIG = {"vocab_size": 50257, "n_positions": config_key(absent = 1024, reaches = "sequence_length"), "n_embd": 768, "n_layer": 12, "n_head": 12, "layer_norm_epsilon": 1e-5}

def _implementation(name, description, head, heads, parameters = [], config = {}):
    return transformers_model(
        name,
        description,
        family = "gpt2",
        parameters = _PARAMETERS + parameters,
        inputs = [text.ids],
        head = head,
        # Published files are of GPT2Model, and hold the masks of its attention.
        checkpoint_extras = checkpoint_extras(
            base = "transformer",
            buffers = ["transformer.h.*.attn.bias", "transformer.h.*.attn.masked_bias"],
            heads = heads,
        ),
        checkpoint_configs = [transformers_config(
            "gpt2",
            dict(_CONFIG, **config),
            only = {
                "activation_function": ["gelu_new"],
                "n_inner": [None],
                "reorder_and_upcast_attn": [False],
                "scale_attn_by_inverse_layer_idx": [False],
                "scale_attn_weights": [True],
                "tie_word_embeddings": [True],
            },
            unread = encoder.summary + ["attn_pdrop", "embd_pdrop", "n_ctx", "resid_pdrop"],
        )],
    )

IMPLEMENTATION = _implementation(
    "gpt2",
    "GPT-2 (pre-layer-norm causal transformer) with a score for each next word, whose weight is the embedding's.",
    text.next_word_scores(),
    ["score", "classifier", "multiple_choice_head", "qa_outputs"],
)

SEQUENCE_CLASSIFICATION = _implementation(
    "gpt2_sequence_classification",
    "GPT-2 with a score for each class of a row, from its last token that is no padding.",
    text.class_scores,
    ["lm_head"],
    [
        text.num_labels,
        parameter("pad_token_id", "integer", default = 0, minimum = 0, maximum = 1000000, description = "the token that is padding"),
    ],
    {"num_labels": text.num_labels_key, "pad_token_id": None},
)

_SMALL = {"n_embd": 32, "n_head": 2, "n_layer": 2, "n_positions": 64, "sequence_length": 16, "vocab_size": 96}

_TINY = {"n_embd": 128, "n_head": 2, "n_layer": 2, "vocab_size": 1024}

# distilgpt2 and OpenAI's four.
_SIZES = {
    "distilgpt2": {"n_layer": 6},
    "gpt2": {},
    "gpt2_large": {"n_embd": 1280, "n_head": 20, "n_layer": 36},
    "gpt2_medium": {"n_embd": 1024, "n_head": 16, "n_layer": 24},
    "gpt2_xl": {"n_embd": 1600, "n_head": 25, "n_layer": 48},
}

# The words are GPT-2's, padded to a multiple of 64; nothing is dropped, so that it is no model to train here.
NANOGPT = model("nanogpt", IMPLEMENTATION, parameters = {"vocab_size": 50304}, smoke_parameters = _SMALL, description = "nanoGPT's default.")

PUBLISHED = sized_models(_SIZES, "", IMPLEMENTATION, _SMALL)

CLASSIFIERS = [
    model(
        "gpt2_tiny_sequence_classification",
        SEQUENCE_CLASSIFICATION,
        parameters = dict(_TINY, pad_token_id = 522),
        smoke_parameters = _SMALL,
        description = "The first row of its cases ends in a padding token.",
    ),
    model("gpt2_sequence_classification", SEQUENCE_CLASSIFICATION, smoke_parameters = _SMALL),
]

MODELS = [
    model(
        "gpt2_tiny",
        IMPLEMENTATION,
        parameters = _TINY,
        smoke_parameters = _SMALL,
        description = "GPT-2 of two small blocks, which tests can afford.",
    ),
] + PUBLISHED + [NANOGPT] + CLASSIFIERS
