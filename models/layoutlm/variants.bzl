"""LayoutLM as transformers' classes with a head build it: pure data."""

load("//defs:variants.bzl", "boxes", "input", "parameter")
load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_model")

_PARAMETERS = [encoder.vocab_size(30522)] + encoder.widths + [
    encoder.max_position_embeddings(512),
    parameter("max_2d_position_embeddings", "integer", default = 1024, minimum = 1001, description = "places on an axis of a page, of which 0 to 1000 are used"),
    encoder.type_vocab_size(2),
    encoder.layer_norm_eps(1e-12),
    encoder.sequence_length(128),
]

# Left, upper, right and lower edge in thousandths of the page.
_BOXES = input("bbox", shape = ["batch", "sequence_length", 4], dtype = "INT64", distribution = boxes(limit = 1001))

def _implementation(name, description, head, heads, parameters = []):
    return transformers_model(
        name,
        description,
        family = "layoutlm",
        parameters = _PARAMETERS + parameters,
        inputs = [text.ids, _BOXES, text.mask, text.segments],
        head = head,
        checkpoint_extras = encoder.extras("layoutlm", heads),
    )

MASKED_LM = _implementation(
    "layoutlm_masked_lm",
    "LayoutLM with a score for each word at each token, whose weight is the embedding's.",
    text.word_scores,
    ["classifier"],
)

SEQUENCE_CLASSIFICATION = _implementation(
    "layoutlm_sequence_classification",
    "LayoutLM with a score for each class of a page.",
    text.class_scores,
    ["cls"],
    [text.num_labels],
)

# Microsoft's layoutlm-base-uncased and layoutlm-large-uncased.
_SIZES = {"layoutlm_tiny": dict(encoder.tiny, vocab_size = 1000), "layoutlm_base": encoder.base, "layoutlm_large": encoder.large}

MASKED_LMS = sized_models(_SIZES, "_masked_lm", MASKED_LM)

SEQUENCE_CLASSIFIERS = sized_models(_SIZES, "_sequence_classification", SEQUENCE_CLASSIFICATION)

MODELS = MASKED_LMS + SEQUENCE_CLASSIFIERS
