"""kaituoxu's Speech-Transformer, TorchBench's speech_transformer: pure data."""

load("//defs:variants.bzl", "input", "integers", "model", "model_implementation", "output", "parameter")

IMPLEMENTATION = model_implementation(
    name = "speech_transformer",
    description = "Speech-Transformer: an encoder of frames and a decoder of words, which score the next word.",
    owner = "assay",
    source_url = "https://github.com/kaituoxu/Speech-Transformer",
    reference = "INDEPENDENT",
    reference_script = "models/speech_transformer/reference.py",
    parameters = [
        parameter("input_features", "integer", default = 320, description = "features of a frame: four frames of 80 mel bands"),
        parameter("heads", "integer", default = 8, description = "heads of attention"),
        parameter("head_features", "integer", default = 64, minimum = 2, description = "features of a head; heads times this is even"),
        parameter("hidden", "integer", default = 2048, description = "width of the feed-forward"),
        parameter("layers", "integer", default = 6, maximum = 1000, description = "layers of the encoder, and of the decoder"),
        parameter("vocab_size", "integer", default = 4233, minimum = 4, description = "words: about the characters of AISHELL"),
        parameter("sos", "integer", default = 2, minimum = 0, description = "the word that begins a row"),
        parameter("eos", "integer", default = 3, minimum = 0, description = "the word that ends a row, and fills it behind its end"),
        parameter("frames", "integer", default = 200, maximum = 5000, suffix = "t", description = "frames of a row"),
        parameter("words", "integer", default = 20, maximum = 4999, description = "words of a row"),
    ],
    inputs = [
        input("padded_input", ["batch", "frames", "input_features"]),
        input("input_lengths", ["batch"], integers(limit = "frames+1", low = 1), dtype = "INT64"),
        input("padded_target", ["batch", "words"], integers(limit = "vocab_size"), dtype = "INT64"),
    ],
    outputs = [output("scores", ["batch", "words+1", "vocab_size"])],
    trainable = True,
    targets = [input("gold", ["batch", "words+1"], integers(limit = "vocab_size"), dtype = "INT64")],
    unit = "frame",
    units_per_call = "batch*frames",
)

_TINY = {"frames": 10, "head_features": 6, "heads": 2, "hidden": 20, "input_features": 14, "layers": 2, "vocab_size": 12, "words": 8}

MODELS = [
    model("speech_transformer_tiny", IMPLEMENTATION, parameters = _TINY, smoke_parameters = _TINY, description = "The same of two narrow layers, which tests can afford."),
    model("speech_transformer", IMPLEMENTATION, smoke_parameters = _TINY),
]
