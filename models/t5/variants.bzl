"""T5 and mT5, encoder and decoder, as transformers' T5ForConditionalGeneration and MT5ForConditionalGeneration: pure data."""

load("//defs:variants.bzl", "checkpoint_extras", "input", "integers", "model", "model_implementation", "output", "parameter", "prefix_mask")

def _tokens(name, length, distribution = integers(limit = "vocab_size")):
    return input(name, shape = ["batch", length], dtype = "INT64", distribution = distribution)

IMPLEMENTATION = model_implementation(
    name = "t5",
    description = "T5 (pre-norm encoder and decoder whose attention knows positions by buckets of distances) with a score for each next word.",
    owner = "assay",
    source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/t5/modeling_t5.py",
    reference = "INDEPENDENT",
    reference_script = "models/t5/reference.py",
    parameters = [
        parameter("vocab_size", "integer", default = 32128, maximum = 1000000, description = "rows of the word embedding"),
        parameter("d_model", "integer", description = "features of a token"),
        parameter("d_kv", "integer", default = 64, description = "features of a head"),
        parameter("d_ff", "integer", description = "width of the feed-forward layer"),
        parameter("num_layers", "integer", maximum = 1024, description = "blocks of the encoder, and as many of the decoder"),
        parameter("num_heads", "integer", maximum = 1024, description = "attention heads"),
        parameter("relative_attention_num_buckets", "integer", default = 32, description = "buckets of distances; a multiple of 4"),
        parameter("relative_attention_max_distance", "integer", default = 128, description = "from which distance on all share a bucket, tokens"),
        parameter("layer_norm_epsilon", "real", default = 1e-6, minimum = 0, maximum = 1, description = "added to a mean of squares"),
        parameter("feed_forward_proj", "text", default = "relu", allowed = ["relu", "gated-gelu"], description = "the feed-forward layer; gated-gelu since T5 1.1"),
        parameter("scale_decoder_outputs", "flag", default = True, description = "whether the decoder's output is divided by sqrt(d_model); not since T5 1.1"),
        parameter("tie_word_embeddings", "flag", default = True, description = "whether the scores' weight is the embedding's; not in published files since T5 1.1"),
        parameter("sequence_length", "integer", default = 128, maximum = 65536, suffix = "s", description = "tokens of a row of the encoder"),
        parameter("decoder_length", "integer", default = 1, maximum = 65536, suffix = "t", description = "tokens of a row of the decoder; where it generates, of the prompt"),
    ],
    inputs = [
        _tokens("input_ids", "sequence_length"),
        _tokens("attention_mask", "sequence_length", prefix_mask()),
        _tokens("decoder_input_ids", "decoder_length"),
    ],
    outputs = [output("logits", shape = ["batch", "decoder_length", "vocab_size"])],
    trainable = True,
    # Files of the first T5 hold buckets that attention to the encoder's output does not read.
    checkpoint_extras = checkpoint_extras(
        buffers = ["decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"],
    ),
    targets = [_tokens("labels", "decoder_length")],
    continuation = _tokens("continuation_ids", "new_tokens-1"),
    continued = "decoder_input_ids",
    unit = "token",
    units_per_call = "batch*sequence_length+batch*decoder_length",
)

_SMALL = {"d_ff": 64, "d_kv": 16, "d_model": 32, "decoder_length": 8, "num_heads": 2, "num_layers": 2, "sequence_length": 16, "vocab_size": 96}

# T5 1.1 and mT5.
_LATER = {"feed_forward_proj": "gated-gelu", "scale_decoder_outputs": False, "tie_word_embeddings": False}

def _t5(name, d_model, d_ff, num_layers, num_heads, description = "", **more):
    sizes = {"d_ff": d_ff, "d_model": d_model, "num_heads": num_heads, "num_layers": num_layers}
    return model(name, IMPLEMENTATION, parameters = dict(sizes, **more), smoke_parameters = _SMALL, description = description)

TINY = [
    _t5("t5_tiny", 64, 128, 2, 2, vocab_size = 1000, d_kv = 24, description = "T5 of two small blocks on either side, which tests can afford."),
    _t5("mt5_tiny", 64, 128, 2, 2, vocab_size = 1000, d_kv = 24, description = "mT5 of two small blocks on either side, which tests can afford.", **_LATER),
]

MODELS = TINY + [
    _t5("t5_small", 512, 2048, 6, 8),
    _t5("t5_base", 768, 3072, 12, 12),
    _t5("t5_large", 1024, 4096, 24, 16),
    _t5("mt5_small", 512, 1024, 8, 6, vocab_size = 250112, description = "mT5 (gated GELU, scores with a weight of their own) of google/mt5-small.", **_LATER),
]
