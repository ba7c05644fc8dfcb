"""ConvBERT as transformers' ConvBertForMaskedLM builds it: pure data."""

load("//defs:text_heads.bzl", "WORD_LABELS", "WORD_SCORES", "tokens")
load("//defs:variants.bzl", "checkpoint_extras", "integers", "model", "model_implementation", "parameter", "prefix_mask", "segments")

IMPLEMENTATION = model_implementation(
    name = "convbert_masked_lm",
    description = "ConvBERT (attention beside convolutions whose kernels depend on the tokens) with a score for each word at each token.",
    owner = "assay",
    source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/convbert/modeling_convbert.py",
    reference = "INDEPENDENT",
    reference_script = "models/convbert/reference.py",
    parameters = [
        parameter("vocab_size", "integer", default = 30522, description = "tokens"),
        parameter("embedding_size", "integer", description = "width of a word's vector; a projection follows if it is not hidden_size"),
        parameter("hidden_size", "integer", description = "width of a token's vector"),
        parameter("num_hidden_layers", "integer", default = 12, maximum = 1024, description = "encoder layers"),
        parameter("num_attention_heads", "integer", maximum = 1024, description = "heads before convolutions take the place of some; divides hidden_size"),
        parameter("intermediate_size", "integer", description = "width of the feed-forward layer"),
        parameter("head_ratio", "integer", default = 2, description = "of how many heads one is left; divides num_attention_heads"),
        parameter("conv_kernel_size", "integer", default = 9, description = "tokens that a convolution sees; odd"),
        parameter("num_groups", "integer", default = 1, description = "parts that the feed-forward layer treats apart; divides its widths"),
        parameter("max_position_embeddings", "integer", default = 512, description = "longest sequence, tokens"),
        parameter("type_vocab_size", "integer", default = 2, description = "token types"),
        parameter("layer_norm_eps", "real", default = 1e-12, minimum = 0.0, description = "added to the variance"),
        parameter("sequence_length", "integer", default = 512, maximum = 512, suffix = "s", description = "tokens of each row"),
    ],
    inputs = [
        tokens("input_ids", integers(limit = "vocab_size")),
        tokens("attention_mask", prefix_mask()),
        tokens("token_type_ids", segments()),
    ],
    outputs = WORD_SCORES,
    # transformers stored the buffers until 4.31; the authors trained a discriminator beside the generator.
    checkpoint_extras = checkpoint_extras(
        buffers = ["convbert.embeddings.position_ids", "convbert.embeddings.token_type_ids"],
        heads = ["discriminator_predictions"],
    ),
    trainable = True,
    targets = WORD_LABELS,
    unit = "token",
    units_per_call = "batch*sequence_length",
)

_SMALL = {"num_hidden_layers": 1, "sequence_length": 8, "vocab_size": 1000}

# Kernels of 5 tokens, so that rows of 8 have tokens with all of their neighbours.
_TINY = {
    "conv_kernel_size": 5,
    "embedding_size": 64,
    "hidden_size": 64,
    "intermediate_size": 256,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "vocab_size": 1000,
}

# YituTech/conv-bert-{small,medium-small,base}.
_SIZES = {
    "convbert_tiny": _TINY,
    "convbert_tiny_grouped": dict(_TINY, embedding_size = 32, num_groups = 2),
    "convbert_small": {"embedding_size": 128, "hidden_size": 256, "num_attention_heads": 4, "intermediate_size": 1024},
    "convbert_medium_small": {"embedding_size": 128, "hidden_size": 384, "num_attention_heads": 8, "intermediate_size": 1536, "num_groups": 2},
    "convbert_base": {"embedding_size": 768, "hidden_size": 768, "num_attention_heads": 12, "intermediate_size": 3072},
}

MODELS = [model(name + "_masked_lm", IMPLEMENTATION, parameters = size, smoke_parameters = _SMALL) for name, size in _SIZES.items()]
