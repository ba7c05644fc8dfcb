"""docTR's recognition of text, crnn_vgg16_bn: pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "output", "parameter")

IMPLEMENTATION = model_implementation(
    name = "crnn",
    description = "CRNN: a VGG reads a line of text, and LSTMs in both directions score the characters of its columns.",
    owner = "assay",
    source_url = "https://github.com/mindee/doctr/blob/main/doctr/models/recognition/crnn/pytorch.py",
    reference = "INDEPENDENT",
    reference_script = "models/crnn/reference.py",
    parameters = [
        parameter("convolutions", "integers", default = [2, 2, 3, 3, 3], maximum = 64, description = "3x3 convolutions in each of the five stages"),
        parameter("widths", "integers", default = [64, 128, 256, 512, 512], maximum = 65536, description = "channels of each stage"),
        parameter("rnn_units", "integer", default = 128, description = "hidden units of an LSTM in one direction"),
        parameter("characters", "integer", default = 126, description = "characters"),
        parameter("columns", "integer", default = 32, maximum = 4096, description = "columns of features, of which each is four pixels wide"),
    ],
    inputs = [input("x", ["batch", 3, 32, "4*columns"])],
    outputs = [output("logits", ["batch", "columns", "characters+1"])],
    keeps_statistics = True,
    unit = "image",
)

_TINY = {"characters": 10, "columns": 6, "convolutions": [1, 1, 1, 1, 1], "rnn_units": 6, "widths": [4, 6, 8, 8, 8]}

MODELS = [
    model("crnn_tiny", IMPLEMENTATION, parameters = _TINY, smoke_parameters = _TINY, description = "The same of five narrow convolutions, which tests can afford."),
    model("crnn_vgg16_bn", IMPLEMENTATION, smoke_parameters = _TINY),
]
