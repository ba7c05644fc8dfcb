"""Longformer as transformers' LongformerForMaskedLM builds it: pure data."""

load("//defs:text_heads.bzl", "WORD_LABELS", "WORD_SCORES", "tokens")
load("//defs:variants.bzl", "checkpoint_extras", "integers", "model", "model_implementation", "parameter", "prefix_mask")

IMPLEMENTATION = model_implementation(
    name = "longformer_masked_lm",
    description = "Longformer (attention within a window, and by a few tokens to all) with a score for each word at each token.",
    owner = "assay",
    source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/longformer/modeling_longformer.py",
    reference = "INDEPENDENT",
    reference_script = "models/longformer/reference.py",
    parameters = [
        parameter("vocab_size", "integer", default = 50265, description = "tokens"),
        parameter("hidden_size", "integer", description = "width of a token's vector"),
        parameter("num_hidden_layers", "integer", maximum = 1024, description = "encoder layers"),
        parameter("num_attention_heads", "integer", maximum = 1024, description = "heads; divides hidden_size"),
        parameter("intermediate_size", "integer", description = "width of the feed-forward layer"),
        parameter("attention_window", "integer", default = 512, minimum = 2, description = "neighbours that a token sees, half of them on either side; even"),
        parameter("global_tokens", "integer", default = 0, minimum = 0, description = "tokens at the begin of a row that see all others and are seen by all; the mask has ones for them"),
        parameter("max_position_embeddings", "integer", default = 4098, description = "longest sequence, tokens, and two more"),
        parameter("type_vocab_size", "integer", default = 1, description = "token types, of which the first is used"),
        parameter("layer_norm_eps", "real", default = 1e-5, minimum = 0.0, description = "added to the variance"),
        parameter("sequence_length", "integer", default = 1024, maximum = 4096, suffix = "s", description = "tokens of each row"),
    ],
    inputs = [
        tokens("input_ids", integers(limit = "vocab_size")),
        tokens("attention_mask", prefix_mask()),
    ],
    outputs = WORD_SCORES,
    # transformers stored the buffer until 4.31, and the pooler of which the scores know nothing.
    checkpoint_extras = checkpoint_extras(
        buffers = ["longformer.embeddings.position_ids"],
        heads = ["longformer.pooler"],
    ),
    trainable = True,
    targets = WORD_LABELS,
    unit = "token",
    units_per_call = "batch*sequence_length",
)

_SMALL = {"num_hidden_layers": 1, "sequence_length": 10, "vocab_size": 1000}

# Windows of two tokens on either side: a row of 10 is padded to 12, which are six blocks. Of 256 words the padding is one
# that the rows of 64 tokens have in their midst, where it counts for no position.
_TINY = {
    "attention_window": 4,
    "hidden_size": 64,
    "intermediate_size": 256,
    "max_position_embeddings": 130,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "vocab_size": 256,
}

# The last two are allenai/longformer-base-4096 and allenai/longformer-large-4096.
_SIZES = {
    "longformer_tiny": _TINY,
    "longformer_tiny_global": dict(_TINY, global_tokens = 3),
    "longformer_base": {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072},
    "longformer_large": {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096},
}

MODELS = [model(name + "_masked_lm", IMPLEMENTATION, parameters = size, smoke_parameters = _SMALL) for name, size in _SIZES.items()]
