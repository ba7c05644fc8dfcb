"""Longformer as transformers' LongformerForMaskedLM builds it: pure data."""

load("//defs:variants.bzl", "parameter")
load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_model")

IMPLEMENTATION = transformers_model(
    "longformer_masked_lm",
    "Longformer (attention within a window, and by a few tokens to all) with a score for each word at each token.",
    family = "longformer",
    parameters = [encoder.vocab_size(50265)] + encoder.widths + [
        parameter("attention_window", "integer", default = 512, minimum = 2, description = "neighbours that a token sees, half of them on either side; even"),
        parameter("global_tokens", "integer", default = 0, minimum = 0, description = "tokens at the begin of a row that see all others and are seen by all; the mask has ones for them"),
        encoder.max_position_embeddings(4098, description = "longest sequence, tokens, and two more"),
        encoder.type_vocab_size(1),
        encoder.layer_norm_eps(1e-5),
        encoder.sequence_length(1024, maximum = 4096),
    ],
    inputs = [text.ids, text.mask],
    head = text.word_scores,
    # Until 4.31 transformers also stored the pooler, of which the scores know nothing.
    checkpoint_extras = encoder.extras("longformer", ["longformer.pooler"]),
)

_SMALL = {"num_hidden_layers": 1, "sequence_length": 10, "vocab_size": 1000}

# Windows of two tokens on either side: a row of 10 is padded to 12, which are six blocks. Of 256 words the padding is one
# that the rows of 64 tokens have in their midst, where it counts for no position.
_TINY = encoder.size(64, 2, 2, 256, attention_window = 4, max_position_embeddings = 130, vocab_size = 256)

# The last two are allenai/longformer-base-4096 and allenai/longformer-large-4096.
_SIZES = {
    "longformer_tiny": _TINY,
    "longformer_tiny_global": dict(_TINY, global_tokens = 3),
    "longformer_base": encoder.base,
    "longformer_large": encoder.large,
}

MODELS = sized_models(_SIZES, "_masked_lm", IMPLEMENTATION, _SMALL)
