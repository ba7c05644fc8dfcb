"""ALBERT as transformers' classes with a head build it: pure data."""

load("//defs:text_heads.bzl", "ANSWER_POSITIONS", "ANSWER_SCORES", "WORD_LABELS", "WORD_SCORES", "tokens")
load("//defs:variants.bzl", "checkpoint_extras", "integers", "model", "model_implementation", "parameter", "prefix_mask", "segments")

_PARAMETERS = [
    parameter("vocab_size", "integer", default = 30000, description = "tokens"),
    parameter("embedding_size", "integer", default = 128, description = "width of a word's vector, which is projected to hidden_size"),
    parameter("hidden_size", "integer", description = "width of a token's vector"),
    parameter("num_hidden_layers", "integer", default = 12, maximum = 1024, description = "how often the layer is used"),
    parameter("num_attention_heads", "integer", maximum = 1024, description = "heads; divides hidden_size"),
    parameter("intermediate_size", "integer", description = "width of the feed-forward layer"),
    parameter("max_position_embeddings", "integer", default = 512, description = "longest sequence, tokens"),
    parameter("type_vocab_size", "integer", default = 2, description = "token types"),
    parameter("layer_norm_eps", "real", default = 1e-12, minimum = 0.0, description = "added to the variance"),
    parameter("sequence_length", "integer", default = 128, maximum = 512, suffix = "s", description = "tokens of each row"),
]

# Which class of transformers reference.py builds; the code knows it from the implementation's name.
def _implementation(name, description, head, outputs, targets, heads):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/albert/modeling_albert.py",
        reference = "INDEPENDENT",
        reference_script = "models/albert/reference.py",
        parameters = _PARAMETERS + [parameter("head", "text", default = head, allowed = [head], description = "the module behind the layers")],
        inputs = [
            tokens("input_ids", integers(limit = "vocab_size")),
            tokens("attention_mask", prefix_mask()),
            tokens("token_type_ids", segments()),
        ],
        outputs = outputs,
        # transformers stored the buffer until 4.31. Published files also have the pooler and the head that tells the order
        # of two sentences.
        checkpoint_extras = checkpoint_extras(
            buffers = ["albert.embeddings.position_ids"],
            heads = ["albert.pooler", "sop_classifier"] + heads,
        ),
        trainable = True,
        targets = targets,
        unit = "token",
        units_per_call = "batch*sequence_length",
    )

MASKED_LM = _implementation(
    name = "albert_masked_lm",
    description = "ALBERT with a score for each word at each token, whose weight is the embedding's.",
    head = "predictions",
    outputs = WORD_SCORES,
    targets = WORD_LABELS,
    heads = [],
)

QUESTION_ANSWERING = _implementation(
    name = "albert_question_answering",
    description = "ALBERT with two scores at each token: that an answer begins there, and that it ends there.",
    head = "qa_outputs",
    outputs = ANSWER_SCORES,
    targets = ANSWER_POSITIONS,
    heads = ["predictions"],
)

_SMALL = {"hidden_size": 256, "intermediate_size": 1024, "num_attention_heads": 4, "num_hidden_layers": 2, "sequence_length": 8, "vocab_size": 1000}

# Version 2 of albert-base, -large, -xlarge and -xxlarge.
_SIZES = {
    "albert_tiny": {"embedding_size": 64, "hidden_size": 128, "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 512, "vocab_size": 1000},
    "albert_base": {"hidden_size": 768, "num_attention_heads": 12, "intermediate_size": 3072},
    "albert_large": {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096},
    "albert_xlarge": {"hidden_size": 2048, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 8192},
    "albert_xxlarge": {"hidden_size": 4096, "num_attention_heads": 64, "intermediate_size": 16384},
}

MODELS = [
    model(name + suffix, implementation, parameters = size, smoke_parameters = _SMALL)
    for suffix, implementation in [("_masked_lm", MASKED_LM), ("_qa", QUESTION_ANSWERING)]
    for name, size in _SIZES.items()
]
