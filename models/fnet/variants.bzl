"""FNet as transformers' FNetForMaskedLM builds it: pure data."""

load("//defs:text_heads.bzl", "WORD_LABELS", "WORD_SCORES", "tokens")
load("//defs:variants.bzl", "checkpoint_extras", "integers", "model", "model_implementation", "parameter", "segments")

IMPLEMENTATION = model_implementation(
    name = "fnet_masked_lm",
    description = "FNet (tokens mixed by a Fourier transform in place of attention) with a score for each word at each token.",
    owner = "assay",
    source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/fnet/modeling_fnet.py",
    reference = "INDEPENDENT",
    reference_script = "models/fnet/reference.py",
    parameters = [
        parameter("vocab_size", "integer", default = 32000, description = "tokens"),
        parameter("hidden_size", "integer", description = "width of a token's vector"),
        parameter("num_hidden_layers", "integer", maximum = 1024, description = "encoder layers"),
        parameter("intermediate_size", "integer", description = "width of the feed-forward layer"),
        parameter("max_position_embeddings", "integer", default = 512, description = "longest sequence, tokens"),
        parameter("type_vocab_size", "integer", default = 4, description = "token types"),
        parameter("layer_norm_eps", "real", default = 1e-12, minimum = 0.0, description = "added to the variance"),
        parameter("sequence_length", "integer", default = 512, maximum = 512, suffix = "s", description = "tokens of each row"),
    ],
    inputs = [
        tokens("input_ids", integers(limit = "vocab_size")),
        tokens("token_type_ids", segments()),
    ],
    outputs = WORD_SCORES,
    # Published checkpoints also have the head that tells whether a sentence follows another, and buffers of old.
    checkpoint_extras = checkpoint_extras(
        buffers = ["fnet.embeddings.position_ids", "fnet.embeddings.token_type_ids"],
        heads = ["cls.seq_relationship"],
    ),
    trainable = True,
    targets = WORD_LABELS,
    unit = "token",
    units_per_call = "batch*sequence_length",
)

_SMALL = {"num_hidden_layers": 1, "sequence_length": 8, "vocab_size": 1000}

MODELS = [
    model(
        "fnet_tiny_masked_lm",
        IMPLEMENTATION,
        parameters = {"hidden_size": 64, "intermediate_size": 256, "num_hidden_layers": 2, "vocab_size": 1000},
        smoke_parameters = _SMALL,
        description = "FNet of two small layers, which tests can afford.",
    ),
    # google/fnet-base and google/fnet-large.
    model(
        "fnet_base_masked_lm",
        IMPLEMENTATION,
        parameters = {"hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12},
        smoke_parameters = _SMALL,
    ),
    model(
        "fnet_large_masked_lm",
        IMPLEMENTATION,
        parameters = {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24},
        smoke_parameters = _SMALL,
    ),
]
