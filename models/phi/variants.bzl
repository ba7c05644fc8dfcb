"""Microsoft's Phi, decoders of tokens: pure data, with the names of their config.json."""

load("//defs:variants.bzl", "checkpoint_extras", "config_key", "model", "parameter")
load("//models:transformers_model.bzl", "decoder", "encoder", "text", "transformers_config", "transformers_model")

IMPLEMENTATION = transformers_model(
    "phi",
    "Phi (decoder with partly rotated heads, whose attention and feed-forward layer stand side by side) with a score for each next word.",
    family = "phi",
    parameters = [
        decoder.vocab_size(51200),
        parameter("hidden_size", "integer", description = "features of a token"),
        parameter("intermediate_size", "integer", description = "width of the feed-forward layers"),
        parameter("num_hidden_layers", "integer", maximum = 1024, description = "blocks"),
        parameter("num_attention_heads", "integer", maximum = 1024, description = "attention heads; they divide hidden_size"),
        decoder.max_position_embeddings(2048, "longest row, tokens; no tensor depends on it"),
        encoder.layer_norm_eps(1e-5),
        parameter("partial_rotary_factor", "real", default = 0.5, minimum = 0, maximum = 1, description = "share of a head's features that are rotated"),
        parameter("rope_theta", "real", default = 10000, minimum = 1, maximum = 1e12, description = "base of the rotary frequencies"),
        decoder.sequence_length(maximum = 2048),
    ],
    inputs = [text.ids],
    head = text.next_word_scores(),
    # Older files hold the frequencies that transformers computes.
    checkpoint_extras = checkpoint_extras(base = "model", buffers = ["model.layers.*.self_attn.rotary_emb.inv_freq"], heads = ["score"]),
    checkpoint_configs = [transformers_config(
        "phi",
        {
            "hidden_size": 2048,
            "intermediate_size": 8192,
            "layer_norm_eps": 1e-5,
            "max_position_embeddings": config_key(absent = 2048, reaches = "sequence_length"),
            "num_attention_heads": 32,
            "num_hidden_layers": 24,
            # Beside the theta until transformers 5.
            "partial_rotary_factor": config_key(["rope_parameters.partial_rotary_factor", "partial_rotary_factor"], absent = 0.5),
            "rope_theta": config_key(["rope_parameters.rope_theta", "rope_theta"], absent = 10000.0),
            "vocab_size": 51200,
        },
        only = {
            "hidden_act": ["gelu_new"],
            "qk_layernorm": [False],
            "rope_parameters.rope_type": ["default"],
            "tie_word_embeddings": [False],
        },
        # A file with fewer heads of keys has tensors of another shape.
        unread = ["attention_dropout", "embd_pdrop", "num_key_value_heads", "resid_pdrop"],
    )],
)

_SMALL = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "max_position_embeddings": 64,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "sequence_length": 16,
    "vocab_size": 96,
}

def _phi(name, hidden_size, layers, description, **more):
    sizes = {"hidden_size": hidden_size, "intermediate_size": 4 * hidden_size, "num_hidden_layers": layers, "num_attention_heads": 32}
    return model(name, IMPLEMENTATION, parameters = dict(sizes, **more), smoke_parameters = _SMALL, description = description)

# An epsilon that is not the layers' own shows whether they get it.
TINY = [_phi(
    "phi_tiny",
    64,
    2,
    "Two small blocks, which tests can afford.",
    intermediate_size = 160,
    layer_norm_eps = 1e-6,
    max_position_embeddings = 256,
    num_attention_heads = 2,
    partial_rotary_factor = 0.4,
    vocab_size = 1000,
)]

MODELS = TINY + [
    _phi("phi_1_5_2l", 2048, 2, "microsoft/phi-1_5 with two of its 24 blocks."),
    _phi("phi_1_5", 2048, 24, "microsoft/phi-1_5, transformers' default."),
    _phi("phi_2", 2560, 32, "microsoft/phi-2.", partial_rotary_factor = 0.4),
]
