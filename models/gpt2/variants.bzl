"""OpenAI's GPT-2, a decoder of tokens: pure data."""

load("//defs:variants.bzl", "checkpoint_extras", "input", "integers", "model", "model_implementation", "output", "parameter")

IMPLEMENTATION = model_implementation(
    name = "gpt2",
    description = "GPT-2 (pre-layer-norm causal transformer) with a score for each next word, whose weight is the embedding's.",
    owner = "assay",
    source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/gpt2/modeling_gpt2.py",
    reference = "INDEPENDENT",
    reference_script = "models/gpt2/reference.py",
    parameters = [
        parameter("vocab_size", "integer", default = 50257, maximum = 1000000, description = "rows of the word embedding"),
        parameter("n_positions", "integer", default = 1024, description = "rows of the position embedding: tokens at most"),
        parameter("n_embd", "integer", default = 768, description = "features of a token"),
        parameter("n_layer", "integer", default = 12, description = "blocks"),
        parameter("n_head", "integer", default = 12, description = "attention heads; they divide n_embd"),
        parameter("layer_norm_epsilon", "real", default = 1e-5, minimum = 0, maximum = 1, description = "added to a variance"),
        parameter("sequence_length", "integer", default = 128, minimum = 2, maximum = 1024, suffix = "s", description = "tokens of a row; where it generates, of the prompt"),
    ],
    inputs = [input("input_ids", shape = ["batch", "sequence_length"], dtype = "INT64", distribution = integers(limit = "vocab_size"))],
    outputs = [output("logits", shape = ["batch", "sequence_length", "vocab_size"])],
    trainable = True,
    # Published files are of GPT2Model, and hold the masks of its attention.
    checkpoint_extras = checkpoint_extras(
        base = "transformer",
        buffers = ["transformer.h.*.attn.bias", "transformer.h.*.attn.masked_bias"],
        heads = ["score", "classifier", "multiple_choice_head", "qa_outputs"],
    ),
    targets = [input("labels", shape = ["batch", "sequence_length"], dtype = "INT64", distribution = integers(limit = "vocab_size"))],
    continuation = input("continuation_ids", shape = ["batch", "new_tokens-1"], dtype = "INT64", distribution = integers(limit = "vocab_size")),
    unit = "token",
    units_per_call = "batch*sequence_length",
)

_SMALL = {"n_embd": 32, "n_head": 2, "n_layer": 2, "n_positions": 64, "sequence_length": 16, "vocab_size": 96}

MODELS = [
    model(
        "gpt2_tiny",
        IMPLEMENTATION,
        parameters = {"n_embd": 128, "n_head": 2, "n_layer": 2, "vocab_size": 1024},
        smoke_parameters = _SMALL,
        description = "GPT-2 of two small blocks, which tests can afford.",
    ),
    model("gpt2", IMPLEMENTATION, smoke_parameters = _SMALL),
]
