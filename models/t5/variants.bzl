"""T5 and mT5, encoder and decoder, as transformers' T5ForConditionalGeneration and MT5ForConditionalGeneration: pure data."""

load("//defs:variants.bzl", "checkpoint_extras", "model", "parameter")
load("//models:transformers_model.bzl", "decoder", "text", "transformers_model")

IMPLEMENTATION = transformers_model(
    "t5",
    "T5 (pre-norm encoder and decoder whose attention knows positions by buckets of distances) with a score for each next word.",
    family = "t5",
    parameters = [
        decoder.vocab_size(32128),
        parameter("d_model", "integer", description = "features of a token"),
        parameter("d_kv", "integer", default = 64, description = "features of a head"),
        parameter("d_ff", "integer", description = "width of the feed-forward layer"),
        parameter("num_layers", "integer", maximum = 1024, description = "blocks of the encoder, and as many of the decoder"),
        parameter("num_heads", "integer", maximum = 1024, description = "attention heads"),
        parameter("relative_attention_num_buckets", "integer", default = 32, description = "buckets of distances; a multiple of 4"),
        parameter("relative_attention_max_distance", "integer", default = 128, description = "from which distance on all share a bucket, tokens"),
        decoder.layer_norm_epsilon(1e-6, description = "added to a mean of squares"),
        parameter("feed_forward_proj", "text", default = "relu", allowed = ["relu", "gated-gelu"], description = "the feed-forward layer; gated-gelu since T5 1.1"),
        parameter("scale_decoder_outputs", "flag", default = True, description = "whether the decoder's output is divided by sqrt(d_model); not since T5 1.1"),
        parameter("tie_word_embeddings", "flag", default = True, description = "whether the scores' weight is the embedding's; not in published files since T5 1.1"),
        decoder.encoder_length(maximum = 65536),
        decoder.decoder_length(maximum = 65536),
    ],
    inputs = [text.ids, text.mask, text.decoder_ids()],
    head = text.next_word_scores(of_decoder = True),
    # Files of the first T5 hold buckets that attention to the encoder's output does not read.
    checkpoint_extras = checkpoint_extras(
        buffers = ["decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"],
    ),
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
