"""Tacotron 2 as torchaudio 2.11 builds it: pure data."""

load("//defs:variants.bzl", "bernoulli", "input", "integers", "model", "model_implementation", "output", "parameter")

def _count(name, default, description, maximum = 65536):
    return parameter(name, "integer", default = default, maximum = maximum, description = description)

_MEL = ["batch", "mels", "frames"]

IMPLEMENTATION = model_implementation(
    name = "tacotron2",
    description = "Tacotron 2 in training: recurrent layers make each frame of a spectrogram out of a text and the frame before it.",
    owner = "assay",
    source_url = "https://github.com/pytorch/audio/blob/v2.11.0/src/torchaudio/models/tacotron2.py",
    reference = "INDEPENDENT",
    reference_script = "models/tacotron2/reference.py",
    parameters = [
        _count("symbols", 148, "symbols that a text may have"),
        _count("mels", 80, "mel bands of a frame"),
        _count("encoder_units", 256, "hidden units of the encoder in one direction; twice as many features of a symbol"),
        _count("encoder_convolutions", 3, "convolutions of the encoder", maximum = 1000),
        _count("attention_rnn", 1024, "hidden units of the attention's cell"),
        _count("decoder_rnn", 1024, "hidden units of the decoder's cell"),
        _count("attention", 128, "features of the attention"),
        _count("filters", 32, "channels of the attention's convolution"),
        _count("filter_kernel", 31, "symbols that it sees; odd", maximum = 4095),
        _count("prenet", 256, "features of the prenet"),
        _count("postnet", 512, "channels of the postnet"),
        _count("postnet_convolutions", 5, "convolutions of the postnet", maximum = 1000),
        _count("text", 100, "symbols of a row"),
        _count("frames", 100, "frames of a row"),
    ],
    inputs = [
        input("tokens", ["batch", "text"], integers(limit = "symbols"), dtype = "INT64"),
        input("mel_specgram", _MEL),
    ],
    outputs = [
        output("mel", _MEL),
        output("mel_postnet", _MEL),
        output("gates", ["batch", "frames"]),
        output("alignments", ["batch", "frames", "text"]),
    ],
    trainable = True,
    targets = [input("mel_target", _MEL), input("gate_target", ["batch", "frames"], bernoulli(0.5))],
    keeps_statistics = True,
    unit = "frame",
    units_per_call = "batch*frames",
)

_TINY = {
    "attention": 6,
    "attention_rnn": 8,
    "decoder_rnn": 10,
    "encoder_convolutions": 2,
    "encoder_units": 4,
    "filter_kernel": 3,
    "filters": 4,
    "frames": 5,
    "mels": 6,
    "postnet": 8,
    "postnet_convolutions": 3,
    "prenet": 7,
    "symbols": 20,
    "text": 9,
}

MODELS = [
    model("tacotron2_tiny", IMPLEMENTATION, parameters = _TINY, smoke_parameters = _TINY, description = "The same of narrow layers and five frames, which tests can afford."),
    model("tacotron2", IMPLEMENTATION, smoke_parameters = _TINY),
]
