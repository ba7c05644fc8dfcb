"""XLNet as transformers' XLNetLMHeadModel builds it: pure data."""

load("//defs:variants.bzl", "parameter")
load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_model")

IMPLEMENTATION = transformers_model(
    "xlnet_lm",
    "XLNet (attention by content, by distance and by segment) with a score for each word at each token.",
    family = "xlnet",
    parameters = [
        encoder.vocab_size(32000),
        parameter("d_model", "integer", description = "width of a token's vector; even"),
        parameter("n_layer", "integer", maximum = 1024, description = "layers"),
        parameter("n_head", "integer", maximum = 1024, description = "heads; divides d_model"),
        parameter("d_inner", "integer", description = "width of the feed-forward layer"),
        encoder.layer_norm_eps(1e-12),
        encoder.sequence_length(512, maximum = 4096),
    ],
    inputs = [text.ids, text.mask, text.segments],
    head = text.word_scores,
)

_SMALL = {"n_layer": 1, "sequence_length": 8, "vocab_size": 1000}

# The last two are xlnet/xlnet-base-cased and xlnet/xlnet-large-cased.
_SIZES = {
    "xlnet_tiny": {"d_model": 64, "n_layer": 2, "n_head": 2, "d_inner": 256, "vocab_size": 1000},
    "xlnet_base": {"d_model": 768, "n_layer": 12, "n_head": 12, "d_inner": 3072},
    "xlnet_large": {"d_model": 1024, "n_layer": 24, "n_head": 16, "d_inner": 4096},
}

MODELS = sized_models(_SIZES, "_lm", IMPLEMENTATION, _SMALL)
