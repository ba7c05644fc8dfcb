"""XLNet as transformers' XLNetLMHeadModel builds it: pure data."""

load("//defs:text_heads.bzl", "WORD_LABELS", "WORD_SCORES", "tokens")
load("//defs:variants.bzl", "integers", "model", "model_implementation", "parameter", "prefix_mask", "segments")

IMPLEMENTATION = model_implementation(
    name = "xlnet_lm",
    description = "XLNet (attention by content, by distance and by segment) with a score for each word at each token.",
    owner = "assay",
    source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/xlnet/modeling_xlnet.py",
    reference = "INDEPENDENT",
    reference_script = "models/xlnet/reference.py",
    parameters = [
        parameter("vocab_size", "integer", default = 32000, description = "tokens"),
        parameter("d_model", "integer", description = "width of a token's vector; even"),
        parameter("n_layer", "integer", maximum = 1024, description = "layers"),
        parameter("n_head", "integer", maximum = 1024, description = "heads; divides d_model"),
        parameter("d_inner", "integer", description = "width of the feed-forward layer"),
        parameter("layer_norm_eps", "real", default = 1e-12, minimum = 0.0, description = "added to the variance"),
        parameter("sequence_length", "integer", default = 512, maximum = 4096, suffix = "s", description = "tokens of each row"),
    ],
    inputs = [
        tokens("input_ids", integers(limit = "vocab_size")),
        tokens("attention_mask", prefix_mask()),
        tokens("token_type_ids", segments()),
    ],
    outputs = WORD_SCORES,
    trainable = True,
    targets = WORD_LABELS,
    unit = "token",
    units_per_call = "batch*sequence_length",
)

_SMALL = {"n_layer": 1, "sequence_length": 8, "vocab_size": 1000}

# The last two are xlnet/xlnet-base-cased and xlnet/xlnet-large-cased.
_SIZES = {
    "xlnet_tiny": {"d_model": 64, "n_layer": 2, "n_head": 2, "d_inner": 256, "vocab_size": 1000},
    "xlnet_base": {"d_model": 768, "n_layer": 12, "n_head": 12, "d_inner": 3072},
    "xlnet_large": {"d_model": 1024, "n_layer": 24, "n_head": 16, "d_inner": 4096},
}

MODELS = [model(name + "_lm", IMPLEMENTATION, parameters = size, smoke_parameters = _SMALL) for name, size in _SIZES.items()]
