"""OpenAI's GPT-2, a decoder of tokens: pure data."""

load("//defs:text_heads.bzl", "WORD_LABELS", "WORD_SCORES")
load("//defs:variants.bzl", "checkpoint_extras", "input", "integers", "model", "model_implementation", "output", "parameter")

_PARAMETERS = [
    parameter("vocab_size", "integer", default = 50257, maximum = 1000000, description = "rows of the word embedding"),
    parameter("n_positions", "integer", default = 1024, description = "rows of the position embedding: tokens at most"),
    parameter("n_embd", "integer", default = 768, description = "features of a token"),
    parameter("n_layer", "integer", default = 12, description = "blocks"),
    parameter("n_head", "integer", default = 12, description = "attention heads; they divide n_embd"),
    parameter("layer_norm_epsilon", "real", default = 1e-5, minimum = 0, maximum = 1, description = "added to a variance"),
    parameter("sequence_length", "integer", default = 128, minimum = 2, maximum = 1024, suffix = "s", description = "tokens of a row; where it generates, of the prompt"),
]

# Published files are of GPT2Model, and hold the masks of its attention.
def _extras(heads):
    return checkpoint_extras(
        base = "transformer",
        buffers = ["transformer.h.*.attn.bias", "transformer.h.*.attn.masked_bias"],
        heads = heads,
    )

def _implementation(name, description, outputs, heads, targets, parameters = [], **kwargs):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/gpt2/modeling_gpt2.py",
        reference = "INDEPENDENT",
        reference_script = "models/gpt2/reference.py",
        parameters = _PARAMETERS + parameters,
        inputs = [input("input_ids", shape = ["batch", "sequence_length"], dtype = "INT64", distribution = integers(limit = "vocab_size"))],
        outputs = outputs,
        trainable = True,
        checkpoint_extras = _extras(heads),
        targets = targets,
        unit = "token",
        units_per_call = "batch*sequence_length",
        **kwargs
    )

IMPLEMENTATION = _implementation(
    name = "gpt2",
    description = "GPT-2 (pre-layer-norm causal transformer) with a score for each next word, whose weight is the embedding's.",
    outputs = WORD_SCORES,
    heads = ["score", "classifier", "multiple_choice_head", "qa_outputs"],
    targets = WORD_LABELS,
    continuation = input("continuation_ids", shape = ["batch", "new_tokens-1"], dtype = "INT64", distribution = integers(limit = "vocab_size")),
)

SEQUENCE_CLASSIFICATION = _implementation(
    name = "gpt2_sequence_classification",
    description = "GPT-2 with a score for each class of a row, from its last token that is no padding.",
    parameters = [
        parameter("num_labels", "integer", default = 2, maximum = 100000, description = "classes"),
        parameter("pad_token_id", "integer", default = 0, minimum = 0, maximum = 1000000, description = "the token that is padding"),
    ],
    outputs = [output("logits", shape = ["batch", "num_labels"])],
    heads = ["lm_head"],
    targets = [input("labels", shape = ["batch"], dtype = "INT64", distribution = integers(limit = "num_labels"))],
)

_SMALL = {"n_embd": 32, "n_head": 2, "n_layer": 2, "n_positions": 64, "sequence_length": 16, "vocab_size": 96}

_TINY = {"n_embd": 128, "n_head": 2, "n_layer": 2, "vocab_size": 1024}

# distilgpt2 and OpenAI's four.
_SIZES = {
    "distilgpt2": {"n_layer": 6},
    "gpt2": {},
    "gpt2_large": {"n_embd": 1280, "n_head": 20, "n_layer": 36},
    "gpt2_medium": {"n_embd": 1024, "n_head": 16, "n_layer": 24},
    "gpt2_xl": {"n_embd": 1600, "n_head": 25, "n_layer": 48},
}

PUBLISHED = [model(name, IMPLEMENTATION, parameters = size, smoke_parameters = _SMALL) for name, size in _SIZES.items()]

CLASSIFIERS = [
    model(
        "gpt2_tiny_sequence_classification",
        SEQUENCE_CLASSIFICATION,
        parameters = dict(_TINY, pad_token_id = 522),
        smoke_parameters = _SMALL,
        description = "The first row of its cases ends in a padding token.",
    ),
    model("gpt2_sequence_classification", SEQUENCE_CLASSIFICATION, smoke_parameters = _SMALL),
]

MODELS = [
    model(
        "gpt2_tiny",
        IMPLEMENTATION,
        parameters = _TINY,
        smoke_parameters = _SMALL,
        description = "GPT-2 of two small blocks, which tests can afford.",
    ),
] + PUBLISHED + CLASSIFIERS
