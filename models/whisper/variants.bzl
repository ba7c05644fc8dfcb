"""OpenAI's Whisper, from spectrograms to tokens: pure data."""

load("//defs:variants.bzl", "checkpoint_extras", "input", "model", "parameter")
load("//models:transformers_model.bzl", "decoder", "text", "transformers_model")

_ENCODER = [
    parameter("num_mel_bins", "integer", default = 80, description = "features of a frame"),
    parameter("d_model", "integer", description = "features of a token"),
    parameter("layers", "integer", maximum = 1024, description = "layers of the encoder, and as many of the decoder"),
    parameter("attention_heads", "integer", maximum = 1024, description = "heads of each layer; they divide d_model"),
    parameter("ffn_dim", "integer", description = "width of the feed-forward layers"),
    parameter("max_source_positions", "integer", default = 1500, description = "tokens of the encoder, for two frames each"),
]
_FEATURES = input("input_features", shape = ["batch", "num_mel_bins", "2*max_source_positions"])

IMPLEMENTATION = transformers_model(
    "whisper",
    "Whisper (convolutions and an encoder over a log-mel spectrogram, a decoder of tokens) with a score for each next word.",
    family = "whisper",
    parameters = [decoder.vocab_size(51865)] + _ENCODER + [
        parameter("max_target_positions", "integer", default = 448, description = "tokens of the decoder, at most"),
        decoder.decoder_length(maximum = 448),
    ],
    inputs = [_FEATURES, text.decoder_ids()],
    head = text.next_word_scores(of_decoder = True),
    checkpoint_extras = checkpoint_extras(base = "model"),
    units_per_call = "batch*max_source_positions+batch*decoder_length",
)

# Its loss is not here: TorchBench does not train it either.
AUDIO_CLASSIFICATION = transformers_model(
    "whisper_audio_classification",
    "Whisper's encoder with a score for each class of the whole sound.",
    family = "whisper",
    parameters = _ENCODER + [
        parameter("classifier_proj_size", "integer", default = 256, description = "features that tokens are projected to before their mean"),
        text.num_labels,
    ],
    inputs = [_FEATURES],
    head = text.head(outputs = text.class_scores.outputs),
    units_per_call = "batch*max_source_positions",
)

_SMALL_ENCODER = {"attention_heads": 2, "d_model": 32, "ffn_dim": 64, "layers": 2, "max_source_positions": 12, "num_mel_bins": 8}
_SMALL = dict(_SMALL_ENCODER, decoder_length = 8, max_target_positions = 64, vocab_size = 96)

def _whisper(name, d_model, layers, attention_heads, description, implementation = IMPLEMENTATION, smoke_parameters = _SMALL, **more):
    sizes = {"attention_heads": attention_heads, "d_model": d_model, "ffn_dim": 4 * d_model, "layers": layers}
    return model(name, implementation, parameters = dict(sizes, **more), smoke_parameters = smoke_parameters, description = description)

def _classifier(name, d_model, layers, attention_heads, description, **more):
    return _whisper(name + "_audio_classification", d_model, layers, attention_heads, description, AUDIO_CLASSIFICATION, _SMALL_ENCODER, **more)

CLASSIFIERS = [
    _classifier("whisper_mini", 64, 2, 2, "Two small layers, which tests can afford.", max_source_positions = 20, num_mel_bins = 16),
    _classifier("whisper_tiny", 384, 4, 6, "transformers' default sizes."),
    _classifier("distil_whisper_medium", 1024, 24, 16, "distil-whisper/distil-medium.en, whose encoder is openai/whisper-medium.en's."),
]

MODELS = [
    _whisper(
        "whisper_mini",
        64,
        2,
        2,
        "Two small layers on either side, which tests can afford.",
        max_source_positions = 20,
        max_target_positions = 64,
        num_mel_bins = 16,
        vocab_size = 1000,
    ),
    _whisper("whisper_tiny", 384, 4, 6, "openai/whisper-tiny."),
    _whisper("whisper_base", 512, 6, 8, "openai/whisper-base."),
    _whisper("whisper_small", 768, 12, 12, "openai/whisper-small."),
] + CLASSIFIERS
