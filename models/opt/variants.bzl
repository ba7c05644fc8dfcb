"""OPT and XGLM, decoders of tokens: pure data."""

load("//defs:variants.bzl", "checkpoint_extras", "config_key", "model", "parameter")
load("//models:transformers_model.bzl", "decoder", "text", "transformers_config", "transformers_model")

def _implementation(name, description, vocab_size, extras, configs = []):
    return transformers_model(
        name,
        description,
        family = "opt",
        module = name,
        parameters = [
            parameter("architecture", "text", default = name, allowed = [name], description = "the class of transformers; the code knows it from the implementation's name"),
            decoder.vocab_size(vocab_size),
            parameter("hidden_size", "integer", description = "features of a token"),
            parameter("num_layers", "integer", maximum = 1024, description = "layers"),
            parameter("attention_heads", "integer", maximum = 1024, description = "heads of each layer; they divide hidden_size"),
            parameter("ffn_dim", "integer", description = "width of the feed-forward layers"),
            decoder.max_position_embeddings(2048),
            decoder.sequence_length(maximum = 2048),
        ],
        inputs = [text.ids],
        head = text.next_word_scores(),
        checkpoint_extras = extras,
        checkpoint_configs = configs,
    )

IMPLEMENTATION = _implementation(
    "opt",
    "OPT (pre-norm decoder with learned positions and ReLU) with a score for each next word, whose weight is the embedding's.",
    50272,
    # Meta's files are of OPTModel.
    checkpoint_extras(base = "model", buffers = ["model.decoder.version"], heads = ["score", "qa_outputs"]),
    [transformers_config(
        "opt",
        {
            "attention_heads": config_key(["num_attention_heads"], absent = 12),
            "ffn_dim": 3072,
            "hidden_size": 768,
            "max_position_embeddings": config_key(absent = 2048, reaches = "sequence_length"),
            "num_layers": config_key(["num_hidden_layers"], absent = 12),
            "vocab_size": 50272,
        },
        only = {
            "_remove_final_layer_norm": [False],
            "activation_function": ["relu"],
            "do_layer_norm_before": [True],
            "enable_bias": [True],
            "layer_norm_elementwise_affine": [True],
            "tie_word_embeddings": [True],
        },
        constants = {"architecture": "opt"},
        # A file with another width of words has tensors that the model has not.
        unread = ["activation_dropout", "attention_dropout", "dropout", "init_std", "layerdrop", "word_embed_proj_dim"],
    )],
)

XGLM = _implementation(
    "xglm",
    "XGLM (pre-norm decoder with sinusoidal positions and GELU) with a score for each next word, whose weight is the embedding's.",
    256008,
    # Older files hold the positions that transformers computes.
    checkpoint_extras(base = "model", buffers = ["model.embed_positions.weights"]),
)

_SMALL = {"attention_heads": 2, "ffn_dim": 64, "hidden_size": 32, "max_position_embeddings": 64, "num_layers": 2, "sequence_length": 16, "vocab_size": 96}

def _sizes(hidden_size, num_layers, attention_heads, ffn_dim, **more):
    return dict({"attention_heads": attention_heads, "ffn_dim": ffn_dim, "hidden_size": hidden_size, "num_layers": num_layers}, **more)

_TINY = _sizes(64, 2, 2, 128, max_position_embeddings = 256, vocab_size = 1000)

_OF_TESTS = "Two small layers, which tests can afford."

TINY = [
    model("opt_tiny", IMPLEMENTATION, parameters = _TINY, smoke_parameters = _SMALL, description = _OF_TESTS),
    model("xglm_tiny", XGLM, parameters = _TINY, smoke_parameters = _SMALL, description = _OF_TESTS),
]

MODELS = TINY + [
    model("opt_125m", IMPLEMENTATION, parameters = _sizes(768, 12, 12, 3072), smoke_parameters = _SMALL, description = "facebook/opt-125m, transformers' default."),
    model("opt_1_3b", IMPLEMENTATION, parameters = _sizes(2048, 24, 32, 8192), smoke_parameters = _SMALL, description = "facebook/opt-1.3b."),
    model("xglm_564m", XGLM, parameters = _sizes(1024, 24, 16, 4096), smoke_parameters = _SMALL, description = "facebook/xglm-564M, transformers' default."),
]
