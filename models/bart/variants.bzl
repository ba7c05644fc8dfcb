"""BART and its kin, encoder and decoder or the decoder alone, as transformers builds them: pure data."""

load("//defs:text_heads.bzl", "WORD_SCORES")
load("//defs:variants.bzl", "checkpoint_extras", "input", "integers", "model", "model_implementation", "output", "parameter", "prefix_mask", "zipf")

_ARCHITECTURES = ["bart", "mbart", "plbart", "pegasus", "blenderbot_small", "blenderbot"]

_ALONE = _ARCHITECTURES + ["trocr"]

def _parameters(architectures):
    return [
        parameter("architecture", "text", allowed = architectures, description = "where norms stand, and how positions are known"),
        parameter("vocab_size", "integer", default = 50265, maximum = 1000000, description = "rows of the word embedding"),
        parameter("d_model", "integer", description = "features of a token"),
        parameter("encoder_layers", "integer", maximum = 1024, description = "layers of the encoder"),
        parameter("decoder_layers", "integer", maximum = 1024, description = "layers of the decoder"),
        parameter("attention_heads", "integer", maximum = 1024, description = "heads of each layer; they divide d_model"),
        parameter("ffn_dim", "integer", description = "width of the feed-forward layers"),
        parameter("max_position_embeddings", "integer", default = 1024, description = "longest sequence, tokens"),
        parameter("scale_embedding", "flag", default = False, description = "whether words are multiplied by sqrt(d_model)"),
    ]

# None of them is padding, which M2M100 does not count: with a cache it would be counted.
_WORDS = integers(limit = "vocab_size", low = 2)

def _tokens(name, length, distribution = _WORDS):
    return input(name, shape = ["batch", length], dtype = "INT64", distribution = distribution)

def _implementation(name, **kwargs):
    return model_implementation(
        name = name,
        owner = "assay",
        reference = "INDEPENDENT",
        reference_script = "models/bart/reference.py",
        continuation = _tokens("continuation_ids", "new_tokens-1"),
        unit = "token",
        **kwargs
    )

def _with_encoder(name, architectures, source, input_ids, description):
    return _implementation(
        name,
        description = description,
        source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/" + source,
        parameters = _parameters(architectures) + [
            parameter("sequence_length", "integer", default = 128, maximum = 1024, suffix = "s", description = "tokens of a row of the encoder"),
            parameter("decoder_length", "integer", default = 1, maximum = 1024, suffix = "t", description = "tokens of a row of the decoder; where it generates, of the prompt"),
        ],
        inputs = [
            _tokens("input_ids", "sequence_length", input_ids),
            _tokens("attention_mask", "sequence_length", prefix_mask()),
            _tokens("decoder_input_ids", "decoder_length"),
        ],
        outputs = [output("logits", shape = ["batch", "decoder_length", "vocab_size"])],
        trainable = True,
        targets = [_tokens("labels", "decoder_length")],
        continued = "decoder_input_ids",
        # fairseq's files hold versions; those of M2M100 hold the positions that transformers computes.
        checkpoint_extras = checkpoint_extras(
            base = "model",
            buffers = ["model.encoder.version", "model.decoder.version"] + (
                ["model.encoder.embed_positions.weights", "model.decoder.embed_positions.weights"] if name == "m2m100" else []
            ),
            heads = ["classification_head", "qa_outputs"],
        ),
        units_per_call = "batch*sequence_length+batch*decoder_length",
    )

IMPLEMENTATION = _with_encoder(
    "bart",
    _ARCHITECTURES,
    "bart/modeling_bart.py",
    _WORDS,
    "BART, mBART, PLBART, Pegasus, BlenderbotSmall or Blenderbot: encoder and decoder with a score for each next word.",
)

M2M100 = _with_encoder(
    "m2m100",
    ["m2m100"],
    "m2m_100/modeling_m2m_100.py",
    # The second most frequent word is padding.
    zipf(limit = "vocab_size", exponent = 1),
    "M2M100 (encoder and decoder whose sinusoidal positions do not count padding) with a score for each next word.",
)

CAUSAL_LM = _implementation(
    "bart_causal_lm",
    description = "The decoder of BART, mBART, PLBART, Pegasus, BlenderbotSmall, Blenderbot or TrOCR alone, with a score for each next word.",
    source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/bart/modeling_bart.py",
    parameters = _parameters(_ALONE) + [
        parameter("sequence_length", "integer", default = 128, maximum = 1024, suffix = "s", description = "tokens of a row; where it generates, of the prompt"),
    ],
    inputs = [_tokens("input_ids", "sequence_length")],
    outputs = WORD_SCORES,
    # Published files hold the encoder as well, and the words under the name that both sides share.
    checkpoint_extras = checkpoint_extras(
        base = "model",
        buffers = ["final_logits_bias", "model.decoder.version"],
        heads = ["model.encoder", "encoder"],
        renamings = {"model.shared.": "model.decoder.embed_tokens."},
    ),
    units_per_call = "batch*sequence_length",
)

_SMALL = {"attention_heads": 2, "d_model": 32, "decoder_layers": 2, "encoder_layers": 2, "ffn_dim": 64, "max_position_embeddings": 64, "sequence_length": 16, "vocab_size": 96}

def _sizes(d_model, layers, heads, ffn_dim, decoder_layers = None, **more):
    return dict(
        {
            "attention_heads": heads,
            "d_model": d_model,
            "decoder_layers": decoder_layers or layers,
            "encoder_layers": layers,
            "ffn_dim": ffn_dim,
        },
        **more
    )

_TINY = _sizes(64, 2, 2, 128, max_position_embeddings = 192, vocab_size = 1000)

# Name, architecture, sizes and description. TorchDynamo builds models from transformers' defaults, which are those of
# published files unless a description says otherwise.
_MODELS = [
    ("bart_tiny", "bart", _TINY, ""),
    ("mbart_tiny", "mbart", _TINY, ""),
    ("plbart_tiny", "plbart", dict(_TINY, scale_embedding = True), ""),
    ("pegasus_tiny", "pegasus", _TINY, ""),
    ("blenderbot_small_tiny", "blenderbot_small", _TINY, ""),
    ("blenderbot_tiny", "blenderbot", _TINY, ""),
    ("m2m100_tiny", "m2m100", dict(_TINY, scale_embedding = True), ""),
    ("bart_base", "bart", _sizes(768, 6, 12, 3072), "facebook/bart-base."),
    ("bart_large", "bart", _sizes(1024, 12, 16, 4096), "facebook/bart-large, transformers' default."),
    ("mbart_large", "mbart", _sizes(1024, 12, 16, 4096), "mBART by transformers' default, which has fewer words than facebook/mbart-large-cc25."),
    ("plbart_base", "plbart", _sizes(768, 6, 12, 3072, scale_embedding = True, vocab_size = 50005), "uclanlp/plbart-base, transformers' default."),
    ("pegasus_large", "pegasus", _sizes(1024, 12, 16, 4096), "Pegasus by transformers' default, which has fewer words and layers than google/pegasus-large."),
    ("blenderbot_small", "blenderbot_small", _sizes(512, 8, 16, 2048, max_position_embeddings = 512), "BlenderbotSmall by transformers' default, which has fewer words than facebook/blenderbot_small-90M."),
    ("blenderbot_3b", "blenderbot", _sizes(2560, 2, 32, 10240, decoder_layers = 24, max_position_embeddings = 128, vocab_size = 8008), "facebook/blenderbot-3B, transformers' default."),
    ("m2m100_418m", "m2m100", _sizes(1024, 12, 16, 4096, scale_embedding = True, vocab_size = 128112), "facebook/m2m100_418M, transformers' default."),
]

def _is_tiny(name):
    return name.endswith("_tiny")

_OF_TESTS = "Two small layers on either side, which tests can afford."

ENCODER_DECODERS = [
    model(
        name,
        M2M100 if architecture == "m2m100" else IMPLEMENTATION,
        parameters = dict(sizes, architecture = architecture),
        smoke_parameters = dict(_SMALL, decoder_length = 8),
        description = description or _OF_TESTS,
    )
    for name, architecture, sizes, description in _MODELS
]

CAUSAL_LMS = [
    model(
        name + "_causal_lm",
        CAUSAL_LM,
        parameters = dict(sizes, architecture = architecture),
        smoke_parameters = _SMALL,
        description = "The decoder alone. " + (description or _OF_TESTS),
    )
    for name, architecture, sizes, description in _MODELS
    if architecture != "m2m100"
] + [
    model(
        name,
        CAUSAL_LM,
        parameters = dict(sizes, architecture = "trocr"),
        smoke_parameters = _SMALL,
        description = description,
    )
    for name, sizes, description in [
        ("trocr_tiny_causal_lm", _TINY, "The decoder alone. " + _OF_TESTS),
        ("trocr_base_causal_lm", _sizes(1024, 12, 16, 4096, max_position_embeddings = 512), "The decoder of microsoft/trocr-base, transformers' default."),
    ]
]

TINY = [m for m in ENCODER_DECODERS if _is_tiny(m.name)]

TINY_CAUSAL_LMS = [m for m in CAUSAL_LMS if _is_tiny(m.name[:-len("_causal_lm")])]

MODELS = ENCODER_DECODERS + CAUSAL_LMS
