"""TorchBench's tts_angular, an encoder of speakers' voices: pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "output", "parameter")

IMPLEMENTATION = model_implementation(
    name = "tts_angular",
    description = "Speaker encoder: LSTMs with a projection each make a vector of unit length out of mel frames.",
    owner = "assay",
    source_url = "https://github.com/pytorch/benchmark/blob/main/torchbenchmark/models/tts_angular/model.py",
    reference = "INDEPENDENT",
    reference_script = "models/tts_angular/reference.py",
    parameters = [
        parameter("input_dim", "integer", default = 40, description = "mel bands of a frame"),
        parameter("lstm_dim", "integer", default = 768, description = "hidden units of an LSTM"),
        parameter("proj_dim", "integer", default = 256, description = "features behind each LSTM"),
        parameter("num_lstm_layers", "integer", default = 3, maximum = 1000, description = "LSTMs"),
        parameter("frames", "integer", default = 50, maximum = 65536, description = "frames of an utterance"),
        parameter("utterances", "integer", default = 2, minimum = 2, maximum = 1024, description = "rows of one speaker, one after another, for the loss"),
    ],
    inputs = [input("mel", shape = ["batch", "frames", "input_dim"])],
    outputs = [output("embedding", shape = ["batch", "proj_dim"])],
    # The angular prototypical loss, which needs no targets.
    trainable = True,
    unit = "utterance",
)

_TINY = {"frames": 6, "input_dim": 8, "lstm_dim": 12, "num_lstm_layers": 2, "proj_dim": 10}

MODELS = [
    model(
        "tts_angular_tiny",
        IMPLEMENTATION,
        parameters = {"frames": 20, "lstm_dim": 64, "proj_dim": 48},
        smoke_parameters = _TINY,
        description = "The speaker encoder with narrow layers and 20 frames, which tests can afford.",
    ),
    model("tts_angular", IMPLEMENTATION, smoke_parameters = _TINY),
]
