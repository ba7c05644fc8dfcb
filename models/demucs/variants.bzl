"""Demucs as TorchBench has it, and a small one: pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "output", "parameter")

IMPLEMENTATION = model_implementation(
    name = "demucs",
    description = "Demucs: convolutions and an LSTM take the sounds of the sources out of a song.",
    owner = "assay",
    source_url = "https://github.com/facebookresearch/demucs/blob/v1/demucs/model.py",
    reference = "INDEPENDENT",
    reference_script = "models/demucs/reference.py",
    parameters = [
        parameter("sources", "integer", default = 4, maximum = 1000, description = "sounds to separate"),
        parameter("audio_channels", "integer", default = 2, maximum = 1000, description = "channels of a sound: 2 for stereo"),
        parameter("channels", "integer", default = 64, maximum = 4096, description = "channels of the first convolution; each further one has twice as many"),
        parameter("depth", "integer", default = 6, maximum = 12, description = "convolutions that shorten the sound"),
        parameter("kernel_size", "integer", default = 8, maximum = 1024, description = "steps that such a convolution sees; context or more"),
        parameter("stride", "integer", default = 4, maximum = 64, description = "steps from one of its results to the next"),
        parameter("context", "integer", default = 3, maximum = 1024, description = "steps that a decoder sees before it lengthens the sound"),
        parameter("lstm_layers", "integer", default = 2, minimum = 0, maximum = 64, description = "layers of the LSTM; 0: there is none"),
        parameter("samples", "integer", default = 382788, maximum = 100000000, description = "samples of a sound"),
    ],
    inputs = [input("mix", ["batch", "audio_channels", "samples"])],
    # Fewer samples than the input has: convolutions are not padded.
    outputs = [output("estimates", ["batch", "sources", "audio_channels", "*"])],
    trainable = True,
    targets = [input("separate", ["batch", "sources", "audio_channels", "samples"])],
    unit = "sample",
    units_per_call = "batch*samples",
)

# An odd number of samples is left over at each level.
_TINY = {"channels": 8, "depth": 3, "samples": 1001, "sources": 3}

MODELS = [
    model("demucs_tiny", IMPLEMENTATION, parameters = _TINY, smoke_parameters = _TINY, description = "Demucs of three narrow levels and three sources, which tests can afford."),
    # The samples are those that TorchBench's shift leaves of 426888.
    model("demucs", IMPLEMENTATION, smoke_parameters = _TINY),
]
