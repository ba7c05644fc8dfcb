"""BART and its kin, encoder and decoder or the decoder alone, as transformers builds them: pure data."""

load("//defs:variants.bzl", "checkpoint_extras", "integers", "model", "parameter", "zipf")
load("//models:transformers_model.bzl", "decoder", "text", "transformers_model")

_ARCHITECTURES = ["bart", "mbart", "plbart", "pegasus", "blenderbot_small", "blenderbot"]

_ALONE = _ARCHITECTURES + ["trocr"]

def _parameters(architectures):
    return [
        parameter("architecture", "text", allowed = architectures, description = "where norms stand, and how positions are known"),
        decoder.vocab_size(50265),
        parameter("d_model", "integer", description = "features of a token"),
        parameter("encoder_layers", "integer", maximum = 1024, description = "layers of the encoder"),
        parameter("decoder_layers", "integer", maximum = 1024, description = "layers of the decoder"),
        parameter("attention_heads", "integer", maximum = 1024, description = "heads of each layer; they divide d_model"),
        parameter("ffn_dim", "integer", description = "width of the feed-forward layers"),
        decoder.max_position_embeddings(1024),
        parameter("scale_embedding", "flag", default = False, description = "whether words are multiplied by sqrt(d_model)"),
    ]

# None of them is padding, which M2M100 does not count: with a cache it would be counted.
_WORDS = integers(limit = "vocab_size", low = 2)

def _with_encoder(name, architectures, module, input_ids, description):
    return transformers_model(
        name,
        description,
        family = "bart",
        module = module,
        parameters = _parameters(architectures) + [decoder.encoder_length(maximum = 1024), decoder.decoder_length(maximum = 1024)],
        inputs = [text.tokens("input_ids", input_ids), text.mask, text.decoder_ids(_WORDS)],
        head = text.next_word_scores(_WORDS, of_decoder = True),
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
    "bart",
    _WORDS,
    "BART, mBART, PLBART, Pegasus, BlenderbotSmall or Blenderbot: encoder and decoder with a score for each next word.",
)

M2M100 = _with_encoder(
    "m2m100",
    ["m2m100"],
    "m2m_100",
    # The second most frequent word is padding.
    zipf(limit = "vocab_size", exponent = 1),
    "M2M100 (encoder and decoder whose sinusoidal positions do not count padding) with a score for each next word.",
)

CAUSAL_LM = transformers_model(
    "bart_causal_lm",
    "The decoder of BART, mBART, PLBART, Pegasus, BlenderbotSmall, Blenderbot or TrOCR alone, with a score for each next word.",
    family = "bart",
    parameters = _parameters(_ALONE) + [decoder.sequence_length(maximum = 1024, minimum = 1)],
    inputs = [text.tokens("input_ids", _WORDS)],
    head = text.next_word_scores(_WORDS, trainable = False),
    # Published files hold the encoder as well, and the words under the name that both sides share.
    checkpoint_extras = checkpoint_extras(
        base = "model",
        buffers = ["final_logits_bias", "model.decoder.version"],
        heads = ["model.encoder", "encoder"],
        renamings = {"model.shared.": "model.decoder.embed_tokens."},
    ),
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
