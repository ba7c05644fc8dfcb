"""BERT-pytorch's BERT, TorchBench's BERT_pytorch: pure data."""

load("//defs:variants.bzl", "input", "integers", "model", "model_implementation", "output", "parameter", "zipf")

_TOKENS = ["batch", "sequence_length"]

IMPLEMENTATION = model_implementation(
    name = "bert_pytorch",
    description = "BERT with norms before its branches, which divide by a sample's deviation, and both heads of its first training.",
    owner = "assay",
    source_url = "https://github.com/codertimo/BERT-pytorch",
    reference = "INDEPENDENT",
    reference_script = "models/bert_pytorch/reference.py",
    parameters = [
        # TorchBench's 20,000 words and five more, for padding and the like.
        parameter("vocab_size", "integer", default = 20005, minimum = 2, description = "words"),
        parameter("hidden", "integer", default = 768, description = "features of a word; an even multiple of the heads"),
        parameter("layers", "integer", default = 12, maximum = 1000, description = "layers"),
        parameter("heads", "integer", default = 12, description = "heads of attention"),
        parameter("sequence_length", "integer", default = 128, maximum = 512, suffix = "s", description = "words of a row"),
    ],
    # The most frequent word is 0, padding, so that rows have some.
    inputs = [
        input("x", _TOKENS, zipf(limit = "vocab_size", exponent = 0.75), dtype = "INT64"),
        input("segment_label", _TOKENS, integers(3), dtype = "INT64"),
    ],
    outputs = [output("next_sentence", ["batch", 2]), output("words", _TOKENS + ["vocab_size"])],
    trainable = True,
    targets = [
        input("is_next", ["batch"], integers(2), dtype = "INT64"),
        input("bert_label", _TOKENS, zipf(limit = "vocab_size", exponent = 0.75), dtype = "INT64"),
    ],
    unit = "token",
    units_per_call = "batch*sequence_length",
)

_TINY = {"heads": 2, "hidden": 16, "layers": 2, "sequence_length": 12, "vocab_size": 30}

MODELS = [
    model("bert_pytorch_tiny", IMPLEMENTATION, parameters = _TINY, smoke_parameters = _TINY, description = "The same of two narrow layers, which tests can afford."),
    model("bert_pytorch", IMPLEMENTATION, smoke_parameters = _TINY),
]
