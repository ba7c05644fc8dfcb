"""LayoutLM as transformers' classes with a head build it: pure data."""

load("//defs:text_heads.bzl", "WORD_LABELS", "WORD_SCORES", "tokens")
load("//defs:variants.bzl", "boxes", "checkpoint_extras", "input", "integers", "model", "model_implementation", "output", "parameter", "prefix_mask", "segments")

_PARAMETERS = [
    parameter("vocab_size", "integer", default = 30522, description = "tokens"),
    parameter("hidden_size", "integer", description = "width of a token's vector"),
    parameter("num_hidden_layers", "integer", maximum = 1024, description = "encoder layers"),
    parameter("num_attention_heads", "integer", maximum = 1024, description = "heads; divides hidden_size"),
    parameter("intermediate_size", "integer", description = "width of the feed-forward layer"),
    parameter("max_position_embeddings", "integer", default = 512, description = "longest sequence, tokens"),
    parameter("max_2d_position_embeddings", "integer", default = 1024, minimum = 1001, description = "places on an axis of a page, of which 0 to 1000 are used"),
    parameter("type_vocab_size", "integer", default = 2, description = "token types"),
    parameter("layer_norm_eps", "real", default = 1e-12, minimum = 0.0, description = "added to the variance"),
    parameter("sequence_length", "integer", default = 128, maximum = 512, suffix = "s", description = "tokens of each row"),
]

def _implementation(name, description, outputs, targets, heads, parameters = []):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/layoutlm/modeling_layoutlm.py",
        reference = "INDEPENDENT",
        reference_script = "models/layoutlm/reference.py",
        parameters = _PARAMETERS + parameters,
        inputs = [
            tokens("input_ids", integers(limit = "vocab_size")),
            # Left, upper, right and lower edge in thousandths of the page.
            input("bbox", shape = ["batch", "sequence_length", 4], dtype = "INT64", distribution = boxes(limit = 1001)),
            tokens("attention_mask", prefix_mask()),
            tokens("token_type_ids", segments()),
        ],
        outputs = outputs,
        # transformers stored the buffer until 4.31.
        checkpoint_extras = checkpoint_extras(
            buffers = ["layoutlm.embeddings.position_ids"],
            heads = heads,
        ),
        trainable = True,
        targets = targets,
        unit = "token",
        units_per_call = "batch*sequence_length",
    )

MASKED_LM = _implementation(
    name = "layoutlm_masked_lm",
    description = "LayoutLM with a score for each word at each token, whose weight is the embedding's.",
    outputs = WORD_SCORES,
    targets = WORD_LABELS,
    heads = ["classifier"],
)

SEQUENCE_CLASSIFICATION = _implementation(
    name = "layoutlm_sequence_classification",
    description = "LayoutLM with a score for each class of a page.",
    parameters = [parameter("num_labels", "integer", default = 2, maximum = 100000, description = "classes")],
    outputs = [output("logits", shape = ["batch", "num_labels"])],
    targets = [input("labels", shape = ["batch"], dtype = "INT64", distribution = integers(limit = "num_labels"))],
    heads = ["cls"],
)

_SMALL = {"num_hidden_layers": 1, "sequence_length": 8, "vocab_size": 1000}

# Microsoft's layoutlm-base-uncased and layoutlm-large-uncased.
_SIZES = {
    "layoutlm_tiny": {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 512, "vocab_size": 1000},
    "layoutlm_base": {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072},
    "layoutlm_large": {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096},
}

MASKED_LMS = [model(name + "_masked_lm", MASKED_LM, parameters = size, smoke_parameters = _SMALL) for name, size in _SIZES.items()]

SEQUENCE_CLASSIFIERS = [
    model(name + "_sequence_classification", SEQUENCE_CLASSIFICATION, parameters = size, smoke_parameters = _SMALL)
    for name, size in _SIZES.items()
]

MODELS = MASKED_LMS + SEQUENCE_CLASSIFIERS
